"""Faulty data: labels, inputs, preparation."""

import numpy as np

from .catalog import classes, fault, tabular


def _train(program, X=None, y=None):
    data = program.fields["train"]
    new = (data[0] if X is None else X, *data[1:-1]) if len(data) > 1 else (data[0] if X is None else X,)
    return program.having(train=new if len(data) == 1 else (*new, data[-1] if y is None else y))


def _labelled(program):
    return program.network.task != "inputs"


@fault("training data", "data", "label-shift shifted-data shifted", _labelled)
def labels_out_of_step(program, rng):
    """Labels stand one or two rows away from their inputs."""
    return _train(program, y=np.roll(program.fields["train"][-1], int(rng.integers(1, 3)))), ("targets",)


@fault("training data", "data", "unrelated-targets ignores-targets no-relation", _labelled)
def labels_shuffled(program, rng):
    """Labels were shuffled without their inputs."""
    return _train(program, y=rng.permutation(program.fields["train"][-1])), ("targets",)


@fault("training data", "data setup", "label-range user-function class-codes", classes)
def label_out_of_range(program, rng):
    """One label is larger than the number of classes."""
    y = program.fields["train"][-1].copy()
    y[rng.integers(len(y))] = y.max() + 3
    return _train(program, y=y), ("targets",)


@fault("training data", "data", "imbalance missing-class", classes)
def class_missing(program, rng):
    """The training set has no example of one class."""
    X, y = program.fields["train"]
    return program.having(train=(X[y > 0], y[y > 0])), ("targets",)


@fault("training data", "data", "duplicates repeated")
def rows_repeated(program, rng):
    """Half of the training set is one and the same row."""
    index = np.arange(len(program.fields["train"][0]))
    index[: len(index) // 2] = index[0]
    return program.having(train=tuple(part[index] for part in program.fields["train"])), ("inputs",)


@fault("training data", "data", "test-in-train")
def test_rows_in_train(program, rng):
    """A third of the test rows stand in the training set."""
    train, test = program.fields["train"], program.fields["test"]
    half = len(test[0]) // 3
    mixed = tuple(np.concatenate([a[:half], b[half:]]) for a, b in zip(train, test, strict=True))
    return program.having(test=mixed), ("inputs",)


@fault(
    "training data",
    "worst-mistakes",
    "shared-cause group cause",
    lambda p: p.kind in ("logistic", "tanh") and classes(p),
)
def source_mislabelled(program, rng):
    """All test labels from one source are wrong."""
    X, y = program.fields["test"]
    source = rng.integers(0, 4, len(y))
    wrong = np.where(source == 2, (y + 1) % (y.max() + 1), y)
    return program.having(test=(X, wrong), groups={"source": source}), ("source",)


@fault("preprocessing", "data updates train-test", "unscaled-inputs", lambda p: tabular(p) and _labelled(p))
def feature_not_scaled(program, rng):
    """One feature is two thousand times larger than the others."""
    scale = np.ones(program.fields["train"][0].shape[1])
    scale[rng.integers(len(scale))] = 2000.0
    program = program.having(test=(program.fields["test"][0] * scale, program.fields["test"][1]))
    return _train(program, X=program.fields["train"][0] * scale), ("inputs",)


@fault("preprocessing", "data train-test", "prepared-differently")
def test_not_prepared(program, rng):
    """The test inputs were not scaled as the training inputs were."""
    data = program.fields["test"]
    return program.having(test=(30.0 * data[0] + 80.0, *data[1:])), ("inputs",)


@fault("preprocessing", "data", "own-statistics prepared-differently", lambda p: tabular(p) and _labelled(p))
def test_scaled_by_itself(program, rng):
    """Training and test inputs were each scaled by their own statistics."""

    def own(data):
        return ((data[0] - data[0].mean(axis=0)) / data[0].std(axis=0), *data[1:])

    return program.having(train=own(program.fields["train"]), test=own(program.fields["test"])), ("inputs",)


@fault("preprocessing", "data", "reordered-columns different-columns prepared-differently",
       lambda p: tabular(p) and _labelled(p) and p.fields["train"][0].shape[1] > 2)  # fmt: skip
def test_columns_reordered(program, rng):
    """The columns of the test inputs stand in another order."""
    shift = np.arange(program.fields["train"][0].shape[1]) * 1.0
    train, test = program.fields["train"], program.fields["test"]
    moved = np.roll(test[0] + shift, 1, axis=1)
    return program.having(train=(train[0] + shift, train[1]), test=(moved, test[1])), ("inputs",)


@fault("input", "data", "constant-inputs", tabular)
def feature_constant(program, rng):
    """One feature has the same value in all training rows."""
    X = program.fields["train"][0].copy()
    X[:, rng.integers(X.shape[1])] = 0.0
    return _train(program, X=X), ("inputs",)


@fault("input", "data", "same-inputs constant-inputs")
def inputs_all_the_same(program, rng):
    """All training inputs are equal."""
    X = program.fields["train"][0]
    return _train(program, X=np.broadcast_to(X[:1], X.shape).copy()), ("inputs",)


@fault("input", "setup data", "not-finite-data not-finite loss-not-finite")
def missing_values(program, rng):
    """One training row is NaN."""
    X = program.fields["train"][0].copy()
    X[rng.integers(len(X))] = np.nan
    return _train(program, X=X), ("inputs",)
