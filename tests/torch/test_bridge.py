"""The PyTorch bridge: every check works on an nn.Module, with the real optimizer's step."""

import copy

import numpy as np
import pytest
import torch
from torch import nn

import mlbug
from mlbug.bridge import from_torch
from mlbug.diagnose import run_check
from mlbug.report import CHECKS
from mlbug.testing import assert_no_fault, assert_update_law
from mlbug.updates import check_updates


def blobs(n=120, seed=0):
    """Return a three-class data set that a small network can fit: inputs (n, 4) and classes (n,)."""
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(9).normal(0.0, 2.0, (3, 4))
    y = rng.integers(0, 3, n)
    return torch.tensor(centres[y] + rng.normal(size=(n, 4)), dtype=torch.float32), torch.tensor(y)


def classifier(seed=0, normalized=False):
    """Return a small classifier with dropout, and batch normalization where asked."""
    torch.manual_seed(seed)
    middle = [nn.BatchNorm1d(8)] if normalized else []
    return nn.Sequential(nn.Linear(4, 8), *middle, nn.Tanh(), nn.Dropout(0.3), nn.Linear(8, 3))


def problem(model=None, optimizer=None, **options):
    """Return the classifier as a Problem."""
    model = classifier() if model is None else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1) if optimizer is None else optimizer(model)
    return from_torch(model, nn.CrossEntropyLoss(), blobs(), blobs(seed=1), optimizer, **options)


OPTIMIZERS = {
    "gradient descent": lambda m: torch.optim.SGD(m.parameters(), lr=0.1),
    "momentum": lambda m: torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9),
    "Nesterov momentum": lambda m: torch.optim.SGD(m.parameters(), lr=0.1, momentum=0.9, nesterov=True),
    "gradient descent with weight decay": lambda m: torch.optim.SGD(m.parameters(), lr=0.1, weight_decay=0.1),
    "Adam": lambda m: torch.optim.Adam(m.parameters(), lr=0.01),
    "Adam with decoupled weight decay": lambda m: torch.optim.AdamW(
        m.parameters(), lr=0.01, weight_decay=0.1
    ),
    "RMSprop": lambda m: torch.optim.RMSprop(m.parameters(), lr=0.01),
    "Adagrad": lambda m: torch.optim.Adagrad(m.parameters(), lr=0.1),
    "AMSGrad": lambda m: torch.optim.Adam(m.parameters(), lr=0.01, amsgrad=True),
    "Nadam with rising momentum": lambda m: torch.optim.NAdam(m.parameters(), lr=0.01),
    "Adamax (epsilon beside the gradient)": lambda m: torch.optim.Adamax(m.parameters(), lr=0.01),
}


@pytest.mark.parametrize("double", [True, False])
@pytest.mark.parametrize("law", OPTIMIZERS)
def test_law_of_torch_optimizer_is_identified(law, double):
    """The step of PyTorch's own optimizers is identified from what it does, in both precisions."""
    model = classifier().double() if double else classifier()
    program = problem(model, OPTIMIZERS[law])
    if double:
        assert_update_law(program, law)
    else:
        assert [f.kind for f in check_updates(program) if f.status == "fault"] == []


def test_constants_of_torch_optimizer_are_found():
    """Betas and epsilon come out as they were given."""
    model = classifier().double()
    program = problem(model, lambda m: torch.optim.Adam(m.parameters(), lr=0.01, betas=(0.8, 0.95), eps=1e-6))
    assert_update_law(program, "Adam", beta1=0.8, beta2=0.95, epsilon=1e-6, rate=1.0)


@pytest.mark.parametrize("check", CHECKS)
def test_right_model_raises_no_fault(check):
    """No check finds a fault in a right float32 classifier, with dropout and batch normalization."""
    guard = mlbug.Guard(problem(classifier(normalized=True)))
    assert [f for f in run_check(check, guard) if f.status == "fault"] == []


def test_optimizer_of_another_model_is_found():
    """An optimizer built for a model that was replaced later never moves the one in use."""
    old = classifier()
    program = problem(classifier(1), lambda m: torch.optim.SGD(old.parameters(), lr=0.1))
    assert {f.kind for f in check_updates(program) if f.status == "fault"} == {"never-moves"}


def test_detached_branch_is_found():
    """A tensor detached on its way loses the gradient of what stands before it."""

    class Detached(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 3)

        def forward(self, x):
            return self.second(torch.tanh(self.first(x)).detach())

    torch.manual_seed(0)
    with pytest.raises(AssertionError, match=r"first\.weight"):
        assert_no_fault(problem(Detached()), "gradients")


def test_sign_error_and_nan_of_own_function_are_found():
    """An autograd function of the user's with a wrong sign, and one that gives NaN, are faults."""
    for factor in (-1.0, float("nan")):

        class Wrong(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 1.0

            @staticmethod
            def backward(ctx, g, factor=factor):
                return factor * g

        class Model(nn.Module):
            def __init__(self, wrong=Wrong):
                super().__init__()
                self.first, self.second, self.wrong = nn.Linear(4, 8), nn.Linear(8, 3), wrong

            def forward(self, x):
                return self.second(self.wrong.apply(torch.tanh(self.first(x))))

        torch.manual_seed(0)
        with pytest.raises(AssertionError, match=r"first\.weight"):
            assert_no_fault(problem(Model()), "gradients")


def test_rescaled_loss_is_judged_alike():
    """A loss a thousand times smaller, with the rate to match, raises no alarm."""
    model = classifier()
    optimizer = torch.optim.SGD(model.parameters(), lr=100.0)
    criterion = nn.CrossEntropyLoss()
    program = from_torch(model, lambda out, y: 1e-3 * criterion(out, y), blobs(), blobs(seed=1), optimizer)
    assert_no_fault(program, "gradients")
    assert_update_law(program, rate=1.0)


def test_originals_stay_as_they_are():
    """Model, buffers, modes and optimizer state are the user's own before and after."""
    model = classifier(normalized=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    nn.CrossEntropyLoss()(model(blobs()[0]), blobs()[1]).backward()
    optimizer.step()
    before = copy.deepcopy((model.state_dict(), optimizer.state_dict()["state"]))
    program = from_torch(model, nn.CrossEntropyLoss(), blobs(), None, optimizer)
    check_updates(program)
    program.scores(program.params, program.train[0])
    program.activations(program.params, program.train[0])
    after = model.state_dict()
    assert all(torch.equal(before[0][name], after[name]) for name in after)
    assert optimizer.state_dict()["state"][0]["step"] == before[1][0]["step"]
    assert model.training


def test_scores_of_classes_are_probabilities():
    """Logits become probabilities in evaluation mode; one row's score does not depend on the others."""
    program = problem(classifier(normalized=True))
    scores = program.scores(program.params, program.train[0])
    assert np.allclose(scores.sum(axis=1), 1.0, atol=1e-5)
    assert np.allclose(scores[:1], program.scores(program.params, program.train[0][:1]), atol=1e-6)


def test_prediction_in_training_mode_is_found():
    """A program that predicts without `model.eval()` lets examples depend on each other."""
    program = problem(
        classifier(normalized=True), predict=lambda model, x: torch.softmax(model.train()(x), 1)
    )
    with pytest.raises(AssertionError, match=r"(?i)example"):
        assert_no_fault(program)


def test_activations_are_those_before_the_nonlinearity():
    """Where a layer is normalized, the normalized values count, by the layer's name."""
    program = problem(classifier(normalized=True))
    layers = program.activations(program.params, program.train[0])
    assert {name: value.shape for name, value in layers.items()} == {"1": (120, 8), "4": (120, 3)}


def test_dataset_and_loader_are_accepted():
    """A Dataset and a DataLoader give the same arrays as tensors do."""
    data = torch.utils.data.TensorDataset(*blobs())
    for form in (data, torch.utils.data.DataLoader(data, batch_size=50)):
        program = from_torch(classifier(), nn.CrossEntropyLoss(), form)
        assert np.array_equal(program.train[0], blobs()[0].numpy())
        assert np.array_equal(program.train[1], blobs()[1].numpy())


def test_bad_arguments_get_one_clear_error():
    """Data of no kind, LBFGS and a frozen model are refused by name."""
    model = classifier()
    with pytest.raises(mlbug.ProblemError, match="train must be"):
        from_torch(model, nn.CrossEntropyLoss(), 3)
    with pytest.raises(mlbug.ProblemError, match="LBFGS"):
        from_torch(model, nn.CrossEntropyLoss(), blobs(), optimizer=torch.optim.LBFGS(model.parameters()))
    with pytest.raises(mlbug.ProblemError, match="no parameter requires"):
        from_torch(model.requires_grad_(False), nn.CrossEntropyLoss(), blobs())
