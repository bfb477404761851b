"""Feed-forward programs with faults to plant, for the tests of the gradient check.

Each function takes the name of a fault (empty for the right program) and a seed and returns the fields of
a `Problem`.
"""

import numpy as np


def softmax(z):
    """Return the softmax over the last axis."""
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def classes(rng, n, d, k):
    """Draw inputs (n, d) around k centers, and their labels (n,)."""
    y = rng.integers(0, k, n)
    return rng.normal(0.0, 1.5, (k, d))[y] + rng.normal(size=(n, d)), y


def linear(rng, n=40, d=5):
    """Draw inputs (n, d) and targets (n,) that are linear in them."""
    X = rng.normal(size=(n, d))
    return X, X @ rng.normal(size=d) + 0.1 * rng.normal(size=n)


ALL = ("W1", "b1", "W2", "b2")
MLP_FAULTS = {  # the fault, the blocks that it spoils, and the name that the check should give it
    "sign": (("W2",), "sign"),
    "factor-2": (("W1",), "factor-2"),
    "sum-for-mean": (ALL, "sum-for-mean"),
    "learning-rate": (("W1",), "learning-rate"),
    "transposed": (("W2",), "transposed"),
    "shifted-entries": (("b1",), "shifted-entries"),
    "tanh-missing": (("W1", "b1"), "activation-derivative-missing"),
    "tanh-of-tanh": (("W1", "b1"), "activation-derivative-wrong"),
    "activation-of-input": (("W1", "b1"), "activation-derivative-wrong"),
    "softmax-missing": (ALL, "softmax-missing"),
    "labels-missing": (ALL, "label-term-missing"),
    "one-example": (("b1",), "one-example"),
    "ignores-batch": (("W2",), "ignores-batch"),
    "stale": (ALL, "stale"),
    "accumulates": (("b1",), "accumulates"),
    "penalty-missing": (("W1",), "regularizer-missing"),
    "penalty-doubled": (("W2",), "regularizer-doubled"),
    "zero": (("b2",), "zero"),
    "repeated": (("b1",), "wrong-axis"),
    "one-entry": (("W2",), "sign"),
    "one-row": (("W1",), "factor-half"),
    "clipped-row": (("W2",), "unknown"),
    "nan": (("W1",), "not-finite"),
}


def mlp(fault="", seed=0, n=32, width=6, dtype=np.float64, scale=1.0, safe=True):
    """Tanh network with a softmax and an L2 penalty; `scale` multiplies loss and gradient."""
    rng = np.random.default_rng(seed)
    k, l2 = width, 1e-2
    X, y = classes(rng, n, width, k)
    X = X.astype(dtype)
    params = {
        "W1": rng.normal(0.0, 0.5, (width, width)), "b1": rng.normal(0.0, 0.1, width),
        "W2": rng.normal(0.0, 0.5, (width, k)), "b2": rng.normal(0.0, 0.1, k),
    }  # fmt: skip
    params = {name: value.astype(dtype) for name, value in params.items()}
    kept = {}

    def forward(p, X):
        A = X @ p["W1"] + p["b1"]
        H = np.tanh(A)
        return A, H, softmax(H @ p["W2"] + p["b2"])

    def loss(p, batch, l2=l2):
        X, y = batch
        P = forward(p, X)[2]
        if not safe:
            P = np.array(P, dtype=float)  # an imaginary part does not get through
        value = -np.mean(np.log(P[np.arange(len(y)), y])) + 0.5 * l2 * (
            np.sum(p["W1"] ** 2) + np.sum(p["W2"] ** 2)
        )
        return scale * value

    def grad(p, batch, l2=l2):
        X, y = batch
        if fault == "stale":
            p = kept.setdefault("params", p)
        A, H, P = forward(p, X)
        one = np.eye(k, dtype=dtype)[y]
        dZ = {"softmax-missing": -one / P, "labels-missing": P}.get(fault, P - one)
        dZ = scale * dZ / (1 if fault == "sum-for-mean" else len(y))
        slope = {
            "tanh-missing": np.ones_like(H),
            "tanh-of-tanh": 1 - np.tanh(H) ** 2,
            "activation-of-input": 1 - A**2,
        }
        dA = (dZ @ p["W2"].T) * slope.get(fault, 1 - H**2)
        reg = scale * l2
        g = {
            "W1": X.T @ dA + reg * p["W1"],
            "b1": dA.sum(axis=0),
            "W2": H.T @ dZ + reg * p["W2"],
            "b2": dZ.sum(axis=0),
        }
        if fault == "sum-for-mean":
            g["W1"], g["W2"] = X.T @ dA + len(y) * reg * p["W1"], H.T @ dZ + len(y) * reg * p["W2"]
        return _spoil(g, p, batch, dA, reg)

    def _spoil(g, p, batch, dA, reg):
        if fault == "sign":
            g["W2"] = -g["W2"]
        elif fault == "factor-2":
            g["W1"] = 2 * g["W1"]
        elif fault == "transposed":
            g["W2"] = g["W2"].T
        elif fault == "one-example":
            g["b1"] = dA[-1]
        elif fault == "penalty-missing":
            g["W1"] = g["W1"] - reg * p["W1"]
        elif fault == "penalty-doubled":
            g["W2"] = g["W2"] + reg * p["W2"]
        elif fault == "learning-rate":
            g["W1"] = 0.3 * g["W1"]
        elif fault == "zero":
            g["b2"] = 0 * g["b2"]
        elif fault == "repeated":
            g["b1"] = np.full_like(g["b1"], dA.sum())
        elif fault == "one-entry":
            g["W2"][1, 2] *= -1
        elif fault == "one-row":
            g["W1"][3] *= 0.5
        elif fault == "ignores-batch" and len(batch[0]) != n:
            g["W2"] = grad(p, (X, y))["W2"]
        elif fault == "accumulates":
            kept["b1"] = g["b1"] + kept.get("b1", 0.0)
            g["b1"] = kept["b1"]
        elif fault == "nan":
            g["W1"][0, 0] = np.nan
        elif fault == "clipped-row":
            g["W2"][2] = np.clip(g["W2"][2], -1e-3 * scale, 1e-3 * scale)
        elif fault == "shifted-entries":
            g["b1"] = np.roll(g["b1"], 1)
        return g

    def scores(p, inputs):
        return forward(p, inputs[0] if isinstance(inputs, tuple) else inputs)[2].astype(float)

    def activations(p, inputs):
        return {"hidden": forward(p, inputs[0] if isinstance(inputs, tuple) else inputs)[0]}

    return {
        "params": params, "loss": loss, "grad": grad, "train": (X, y), "scores": scores, "learning_rate": 0.3,
        "activations": activations, "regularizer": "l2",
    }  # fmt: skip
