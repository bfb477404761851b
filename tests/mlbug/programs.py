"""Small correct programs, in which the tests plant faults."""

import numpy as np

ACTIVATIONS = {
    "tanh": (np.tanh, lambda a: 1.0 - np.tanh(a) ** 2),
    "relu": (lambda a: np.maximum(a, 0.0), lambda a: (a > 0.0).astype(a.dtype)),
    "sigmoid": (
        lambda a: 0.5 * (1.0 + np.tanh(0.5 * a)),
        lambda a: 0.25 * (1.0 - np.tanh(0.5 * a) ** 2),
    ),
}


class Network:
    """A dense network with a softmax or a linear output, its loss and its gradient.

    Parameters
    ----------
    sizes : sequence of int
        Number of inputs, of units by layer, of outputs.
    activation : {"tanh", "relu", "sigmoid"}
        Function of the hidden layers.
    classes : bool
        Softmax and log loss, or linear output and mean squared error.
    l2 : float
        Strength of the penalty on the weights.
    """

    def __init__(self, sizes, activation="tanh", classes=True, l2=0.0):
        self.sizes, self.classes, self.l2 = list(sizes), classes, l2
        self.function, self.slope = ACTIVATIONS[activation]
        self.gain = 2.0 if activation == "relu" else 1.0

    def start(self, rng, dtype=float):
        """Draw initial parameters."""
        params = {}
        for i, (a, b) in enumerate(zip(self.sizes, self.sizes[1:], strict=False), start=1):
            params[f"W{i}"] = rng.normal(0.0, np.sqrt(self.gain / a), (a, b)).astype(dtype)
            params[f"b{i}"] = np.zeros(b, dtype)
        return params

    def forward(self, p, x):
        """Return pre-activations by layer, inputs of each layer, and the output."""
        a, h = [], [np.asarray(x, p["W1"].dtype)]
        for i in range(1, len(self.sizes)):
            a.append(h[-1] @ p[f"W{i}"] + p[f"b{i}"])
            h.append(self.function(a[-1]))
        out = a[-1]
        if self.classes:
            e = np.exp(out - out.max(axis=1, keepdims=True))
            out = e / e.sum(axis=1, keepdims=True)
        return a, h, out

    def loss(self, p, batch, l2=None):
        """Return the mean loss plus penalty."""
        x, y = batch[0], batch[-1]
        out = self.forward(p, x)[2]
        penalty = (self.l2 if l2 is None else l2) * sum(np.sum(v**2) for k, v in p.items() if k[0] == "W")
        if self.classes:
            return -np.mean(np.log(out[np.arange(len(y)), y])) + penalty
        return np.mean((out - y) ** 2) + penalty

    def grad(self, p, batch, l2=None):
        """Return the gradient of `loss`."""
        x, y = batch[0], batch[-1]
        a, h, out = self.forward(p, x)
        if self.classes:
            delta = out.copy()
            delta[np.arange(len(y)), y] -= 1.0
            delta /= len(y)
        else:
            delta = 2.0 * (out - y) / out.size
        g = {}
        for i in range(len(self.sizes) - 1, 0, -1):
            g[f"W{i}"] = h[i - 1].T @ delta + 2.0 * (self.l2 if l2 is None else l2) * p[f"W{i}"]
            g[f"b{i}"] = delta.sum(axis=0)
            if i > 1:
                delta = (delta @ p[f"W{i}"].T) * self.slope(a[i - 2])
        return {name: g[name].astype(p[name].dtype) for name in p}

    def scores(self, p, x):
        """Return probabilities, or outputs."""
        return self.forward(p, x)[2]

    def activations(self, p, x):
        """Return pre-activations by layer name."""
        return {f"layer{i}": a for i, a in enumerate(self.forward(p, x)[0], start=1)}


def classifier(seed=0, n=120, sizes=(4, 8, 3), activation="tanh", l2=0.0, dtype=float, **fields):
    """Return the fields of a correct classifier of three overlapping clouds; `fields` replace or add."""
    rng = np.random.default_rng(seed)
    centers = rng.normal(0.0, 2.0, (sizes[-1], sizes[0]))

    def draw():
        y = rng.integers(0, sizes[-1], n)
        return ((centers[y] + rng.normal(size=(n, sizes[0]))) / 2.0).astype(dtype), y

    return _fields(Network(sizes, activation, True, l2), draw(), draw(), rng, dtype, fields)


def regressor(seed=0, n=120, sizes=(3, 10, 1), activation="tanh", l2=0.0, dtype=float, **fields):
    """Return the fields of a correct regression of a smooth function; `fields` replace or add."""
    rng = np.random.default_rng(seed)
    taste = rng.normal(size=(sizes[0], sizes[-1]))

    def draw():
        x = rng.normal(size=(n, sizes[0]))
        y = np.sin(x @ taste) + 0.5 * x @ taste + 0.1 * rng.normal(size=(n, sizes[-1]))
        return x.astype(dtype), y.astype(dtype)

    return _fields(Network(sizes, activation, False, l2), draw(), draw(), rng, dtype, fields)


def _fields(net, train, test, rng, dtype, fields):
    program = {
        "params": net.start(rng, dtype),
        "loss": net.loss,
        "grad": net.grad,
        "train": train,
        "test": test,
        "scores": net.scores,
        "activations": net.activations,
        "learning_rate": 0.2 if net.classes else 0.1,
    }
    if net.l2:
        program["regularizer"] = "l2"
    return program | fields


def kinds(findings, status="fault"):
    """Return the kinds of the findings of one status."""
    return {finding.kind for finding in findings if finding.status == status}


def fault(findings, kind):
    """Return the fault of a kind; an assertion fails if there is none, or another one."""
    found = [finding for finding in findings if finding.status == "fault"]
    assert [finding.kind for finding in found] == [kind]
    assert found[0].meaning
    assert found[0].next_step
    return found[0]
