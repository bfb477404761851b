"""Check a PyTorch program: its model, loss, data and optimizer as a `Problem`.

PyTorch is imported when `from_torch` is called, and nowhere else in the package.
"""

import copy

import numpy as np

from .bridge_data import as_arrays, as_probabilities
from .problem import Problem, ProblemError

__all__ = ["from_torch"]


def from_torch(
    model, loss, train, test=None, optimizer=None, *, predict=None, learning_rate=None, groups=None, seed=0
):
    """Describe a PyTorch program as a `Problem`, so that every check works on it.

    Model, loss and optimizer are copied (to the CPU, in their own precision); the originals, their
    buffers and their state stay as they are. Loss and gradient are computed in training mode, each time
    from the same buffers, with dropout off; scores in evaluation mode, after normalization layers have
    seen the training inputs once. The optimizer's real step is the update rule, its state that of a
    fresh start.

    Parameters
    ----------
    model : torch.nn.Module
        The model; called as ``model(*inputs)``.
    loss : callable
        ``loss(outputs, targets)``, a scalar tensor; a `torch.nn` loss or a function.
    train, test : tuple of arrays or tensors, torch Dataset, or DataLoader
        Inputs and, last, targets; `test` may be None. Floating-point arrays are cast to the model's type.
    optimizer : torch.optim.Optimizer, optional
        Optimizer of the model's parameters. Its first learning rate is the stated one; groups with
        another rate keep their ratio to it.
    predict : callable, optional
        ``predict(model, *inputs)``, how the program predicts. By default the model is put into
        evaluation mode and called; outputs for integer targets become probabilities.
    learning_rate : float, optional
        The stated rate, where there is no optimizer or it differs from the optimizer's.
    groups : dict of str to array, optional
        Metadata by example, as in `Problem`.
    seed : int, optional
        Seed set before each call, for models that draw random numbers.

    Returns
    -------
    Problem

    Raises
    ------
    ProblemError
        If the data are no arrays, or the optimizer cannot take one step from given gradients (LBFGS).
    """
    import torch

    program = _Program(torch, model, loss, optimizer, predict, seed)
    train = as_arrays(torch, "train", train, program.dtype)
    program.train = train
    if learning_rate is None and optimizer is not None:
        learning_rate = float(optimizer.param_groups[0]["lr"])
    return Problem(
        params=program.arrays(),
        loss=program.loss,
        grad=program.grad,
        train=train,
        test=None if test is None else as_arrays(torch, "test", test, program.dtype),
        scores=program.scores,
        update=None if optimizer is None else program.rule(),
        learning_rate=learning_rate,
        activations=program.activations,
        groups=groups,
    )


class _Program:
    """A copy of the model, whose parameters are set before each call."""

    def __init__(self, torch, model, loss, optimizer, predict, seed):
        self.torch = torch
        if isinstance(optimizer, torch.optim.LBFGS):
            raise ProblemError(
                "optimizer: LBFGS evaluates the loss itself and has no step for a given gradient; omit it"
            )
        # one copy of all three, so that the optimizer's copy holds the parameters of the model's copy
        self.model, self.criterion, self.optimizer = copy.deepcopy((model, loss, optimizer))
        self.model.to("cpu")
        self.predict, self.seed = predict, seed
        self.named = {name: p for name, p in self.model.named_parameters() if p.requires_grad}
        if not self.named:
            raise ProblemError("model: no parameter requires a gradient, so there is nothing to train")
        self.buffers = {name: b.detach().clone() for name, b in self.model.named_buffers()}
        self.dtype = next(iter(self.named.values())).dtype
        self.train = None

    def arrays(self):
        return {name: p.detach().numpy().copy() for name, p in self.named.items()}

    def put(self, params):
        """Set the parameters, and the buffers to how they were at the start."""
        with self.torch.no_grad():
            for name, value in params.items():
                if np.iscomplexobj(value):
                    raise TypeError(f"params[{name!r}] is complex; a torch model takes real parameters")
                self.named[name].copy_(self.torch.as_tensor(value))
            for name, buffer in self.model.named_buffers():
                buffer.copy_(self.buffers[name])

    def training(self):
        """Put the model into training mode, its dropout layers excepted."""
        self.model.train()
        for module in self.model.modules():
            if "Dropout" in type(module).__name__:
                module.eval()

    def tensors(self, arrays):
        result = []
        for array in arrays:
            tensor = self.torch.as_tensor(np.array(array))
            result.append(tensor.to(self.dtype) if tensor.is_floating_point() else tensor)
        return result

    def value(self, params, batch):
        self.put(params)
        self.training()
        *inputs, targets = self.tensors(batch if len(batch) > 1 else batch * 2)
        with self.torch.random.fork_rng(devices=[]):
            self.torch.manual_seed(self.seed)
            return self.criterion(self.model(*inputs), targets)

    def loss(self, params, batch):
        with self.torch.no_grad():
            return self.value(params, batch).numpy()

    def grad(self, params, batch):
        self.model.zero_grad(set_to_none=True)
        value = self.value(params, batch)
        if value.requires_grad:
            value.backward()
        grads = {n: p.grad if p.grad is not None else self.torch.zeros_like(p) for n, p in self.named.items()}
        return {name: grad.detach().numpy().copy() for name, grad in grads.items()}

    def scores(self, params, inputs):
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        self.put(params)
        with self.torch.no_grad(), self.torch.random.fork_rng(devices=[]):
            self.torch.manual_seed(self.seed)
            self.settle()
            outputs = (self.predict or _evaluate)(self.model, *self.tensors(inputs))
        outputs = outputs.detach().numpy()
        if self.predict is None:
            outputs = as_probabilities(self.torch, outputs, self.train[-1], self.criterion)
        return outputs.reshape(len(outputs), -1)

    def settle(self):
        """Let normalization layers take their running statistics from the training inputs."""
        layers = [m for m in self.model.modules() if getattr(m, "track_running_stats", False)]
        if not layers:
            return
        momenta = [layer.momentum for layer in layers]
        self.training()
        for layer in layers:
            layer.momentum = 1.0
        self.model(*self.tensors(self.train[:-1] or self.train))
        for layer, momentum in zip(layers, momenta, strict=True):
            layer.momentum = momentum

    def activations(self, params, inputs):
        """Return what linear, convolutional and normalization layers put out, one row an example."""
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        nn, seen, hooks = self.torch.nn, {}, []
        kinds = (
            nn.Linear,
            nn.Bilinear,
            nn.modules.conv._ConvNd,
            nn.modules.batchnorm._NormBase,
            nn.LayerNorm,
        )

        def watch(name, layer):
            def hook(module, given, output):
                if not isinstance(module, kinds[:3]):  # what is normalized next is no pre-activation
                    for other in [n for n, o in seen.items() if o is given[0]]:
                        del seen[other]
                seen[name] = output

            return layer.register_forward_hook(hook)

        self.put(params)
        self.training()
        try:
            hooks = [watch(n or "model", m) for n, m in self.model.named_modules() if isinstance(m, kinds)]
            with self.torch.no_grad(), self.torch.random.fork_rng(devices=[]):
                self.torch.manual_seed(self.seed)
                self.model(*self.tensors(inputs))
        finally:
            for hook in hooks:
                hook.remove()
        n = len(inputs[0])
        return {name: o.numpy().reshape(n, -1).copy() for name, o in seen.items() if len(o) == n}

    def rule(self):
        """Return the optimizer's step as an update rule whose memory is plain arrays in a closure."""
        torch, optimizer, memory = self.torch, self.optimizer, {}
        rates = [float(group["lr"]) for group in optimizer.param_groups]
        order = [p for group in optimizer.param_groups for p in group["params"]]

        def update(params, grads, lr):
            self.put(params)
            for name, p in self.named.items():
                p.grad = torch.as_tensor(np.array(grads[name])).to(p.dtype)
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * (lr / rates[0]) if rates[0] else lr
            optimizer.state.clear()
            for place, state in memory.items():
                optimizer.state[order[place]] = {
                    key: torch.as_tensor(value.copy()) if isinstance(value, np.ndarray) else value
                    for key, value in state.items()
                }
            optimizer.step()
            memory.clear()
            for place, p in enumerate(order):
                memory[place] = {
                    key: value.detach().numpy().copy() if torch.is_tensor(value) else value
                    for key, value in optimizer.state.get(p, {}).items()
                }
            return self.arrays()

        return update


def _evaluate(model, *inputs):
    model.eval()
    return model(*inputs)
