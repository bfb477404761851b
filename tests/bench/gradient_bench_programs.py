"""Programs for the gradient bench: right ones and planted faults, at any number of parameters."""

from dataclasses import dataclass

import numpy as np

EXAMPLES = 8


@dataclass
class BenchProgram:
    """A loss and a gradient of a dict of parameters, with a count of evaluations of the loss.

    Parameters
    ----------
    name : str
        What is particular.
    wrong : bool
        Whether the gradient has a fault.
    params : dict of str to ndarray
        Where it is checked.
    loss, grad : callable
        Functions of the parameters.
    """

    name: str
    wrong: bool
    params: dict
    loss: object
    grad: object
    evaluations: int = 0

    def counted_loss(self, params):
        """Return the loss and count."""
        self.evaluations += 1
        return self.loss(params)


def network(name, size, *, fault="", relu=False, dtype=np.float64, scale=1.0):
    """One hidden layer of about `size` weights, mean squared error times `scale`.

    ReLU networks have one example of zeros and zero biases, so that units sit exactly on the kink.
    """
    rng = np.random.default_rng(7)
    d = int(size**0.5)
    h = size // d
    X, y = rng.normal(size=(EXAMPLES, d)).astype(dtype), rng.normal(size=EXAMPLES).astype(dtype)
    if relu:
        X[0] = 0
    still = 0.0 if relu else 0.1
    params = {
        "W": rng.normal(size=(d, h)) / d**0.5,
        "b": still * rng.normal(size=h),
        "t": still * rng.normal(size=h),  # counts for little: a block with a small gradient
        "v": rng.normal(size=h) / h**0.5,
    }
    params = {key: value.astype(dtype) for key, value in params.items()}

    def hidden(p):
        A = X @ p["W"] + p["b"] + 1e-5 * p["t"]
        return A, np.maximum(A, 0) if relu else np.tanh(A)

    def loss(p):
        return scale * np.mean((hidden(p)[1] @ p["v"] - y) ** 2)

    def grad(p):
        A, H = hidden(p)
        r = scale * 2 * (H @ p["v"] - y) / (1 if fault == "sum" else EXAMPLES)
        slope = 1.0 if fault == "derivative" else (A > 0) if relu else 1 - H**2
        dA = np.outer(r, p["v"]) * slope
        g = {"W": X.T @ dA, "b": dA.sum(axis=0), "t": 1e-5 * dA.sum(axis=0), "v": H.T @ r}
        if fault == "sign":
            g["W"] = -g["W"]
        elif fault == "entry":
            sizes = np.abs(g["W"]).ravel()  # an entry of usual size: to turn a zero round would be no fault
            usual = np.argmin(np.abs(sizes - np.sqrt(np.mean(sizes**2))))
            g["W"].flat[usual] *= -1
        elif fault == "bias":
            g["b"] = g["b"] * 1.1
        elif fault == "percent":
            g["v"] = g["v"] * 1.01
        elif fault == "small":
            g["t"] = -g["t"]
        elif fault == "little":
            g["v"] = g["v"] * 1.0005
        return {key: np.asarray(value, dtype=dtype) for key, value in g.items()}

    return BenchProgram(name, bool(fault), params, loss, grad)


def programs(size):
    """Return all programs of about `size` parameters, the right ones first."""
    single = {"dtype": np.float32}
    return [
        network("right", size),
        network("right, exact kinks", size, relu=True),
        network("right, float32", size, **single),
        network("right, float32, kinks", size, relu=True, **single),
        network("right, scale 1e-10", size, scale=1e-10),
        network("right, scale 1e8", size, scale=1e8),
        network("sign", size, fault="sign"),
        network("one wrong entry", size, fault="entry"),
        network("sum for mean", size, fault="sum"),
        network("derivative missing", size, fault="derivative"),
        network("bias 10 % off", size, fault="bias"),
        network("last layer 1 % off", size, fault="percent"),
        network("last layer 0.05 % off", size, fault="little"),
        network("sign of a small block", size, fault="small"),
        network("sign, float32", size, fault="sign", **single),
        network("one wrong entry, kinks", size, fault="entry", relu=True),
        network("sign, scale 1e-10", size, fault="sign", scale=1e-10),
        network("one wrong entry, scale 1e8", size, fault="entry", scale=1e8),
    ]
