"""Programs of other kinds with faults to plant, for the tests of the gradient check."""

import numpy as np

from tests.mlbug.gradient_programs import classes, softmax


def _cross_entropy(P, y):
    return -np.mean(np.log(P[np.arange(len(y)), y]))


def _output_slope(P, y):
    return (P - np.eye(P.shape[1])[y]) / len(y)


def recurrent(fault="", seed=0):
    """Tanh RNN whose states are written into a real buffer, so that the complex step is lost."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 4, 3))
    y = (X.sum(axis=(1, 2)) > 0).astype(int)
    params = {
        "Wx": rng.normal(0, 0.5, (3, 5)),
        "Wh": rng.normal(0, 0.4, (5, 5)),
        "Wy": rng.normal(0, 0.5, (5, 2)),
    }

    def states(p, X):
        H = np.zeros((5, len(X), 5))
        for t in range(4):
            H[t + 1] = np.tanh(X[:, t] @ p["Wx"] + H[t] @ p["Wh"])
        return H

    def loss(p, batch):
        return _cross_entropy(softmax(states(p, batch[0])[-1] @ p["Wy"]), batch[1])

    def grad(p, batch):
        X, y = batch
        H = states(p, X)
        dZ = _output_slope(softmax(H[-1] @ p["Wy"]), y)
        g = {"Wx": np.zeros((3, 5)), "Wh": np.zeros((5, 5)), "Wy": H[-1].T @ dZ}
        dH = dZ @ p["Wy"].T
        for t in reversed(range(4)):
            dA = dH * (1 - H[t + 1] ** 2)
            g["Wx"] += X[:, t].T @ dA
            g["Wh"] += H[t + 1 if fault == "state-off-by-one" else t].T @ dA
            dH = dA @ (p["Wh"] if fault == "no-transpose" else p["Wh"].T)
        return g

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def convolution(fault="", seed=0):
    """One convolution with ReLU and mean pooling; padding rows make exact zeros."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 6, 6)) * (rng.random((12, 6, 6)) < 0.5)
    y = rng.integers(0, 3, 12)
    params = {"K": rng.normal(0, 0.5, (4, 3, 3)), "b": np.zeros(4), "V": rng.normal(0, 0.5, (4, 3))}

    def patches(X):
        return np.stack([X[:, i : i + 4, j : j + 4] for i in range(3) for j in range(3)], axis=-1)

    def forward(p, X):
        A = np.einsum("nijq,cq->nijc", patches(X), p["K"].reshape(4, 9)) + p["b"]
        H = np.maximum(A, 0)
        return A, H, softmax(H.mean(axis=(1, 2)) @ p["V"])

    def loss(p, batch):
        return _cross_entropy(forward(p, batch[0])[2], batch[1])

    def grad(p, batch):
        X, y = batch
        A, H, P = forward(p, X)
        dZ = _output_slope(P, y)
        dA = (dZ @ p["V"].T)[:, None, None, :] / 16 * (np.isfinite(A) if fault == "relu-missing" else A > 0)
        dK = np.einsum("nijq,nijc->cq", patches(X), dA).reshape(4, 3, 3)
        if fault == "kernel-flipped":
            dK = dK[:, ::-1, ::-1]
        return {"K": dK, "b": dA.sum(axis=(0, 1, 2)), "V": H.mean(axis=(1, 2)).T @ dZ}

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def attention(fault="", seed=0):
    """Self-attention with a mask of minus infinity, squared error on the mean."""
    rng = np.random.default_rng(seed)
    n, t, d = 10, 5, 4
    X, y = rng.normal(size=(n, t, d)), rng.normal(size=(n, d))
    params = {name: rng.normal(0, 0.6, (d, d)) for name in ("Q", "K", "V")}
    mask = np.where(np.tri(t) > 0, 0.0, -np.inf)

    def forward(p, X):
        q, k, v = X @ p["Q"], X @ p["K"], X @ p["V"]
        A = softmax(q @ np.swapaxes(k, 1, 2) / np.sqrt(d) + mask)
        return q, k, v, A, (A @ v).mean(axis=1)

    def loss(p, batch):
        return np.mean((forward(p, batch[0])[4] - batch[1]) ** 2)

    def grad(p, batch):
        X, y = batch
        q, k, v, A, out = forward(p, X)
        dO = np.repeat((2 * (out - y) / y.size)[:, None, :], t, axis=1) / t
        dA = dO @ np.swapaxes(v, 1, 2)
        inner = 0.0 if fault == "jacobian-diagonal" else (dA * A).sum(axis=-1, keepdims=True)
        dS = A * (dA - inner) / (1.0 if fault == "scale-missing" else np.sqrt(d))
        XT = np.swapaxes(X, 1, 2)
        dV = np.swapaxes(A, 1, 2) @ dO
        parts = {"Q": XT @ (dS @ k), "K": XT @ (np.swapaxes(dS, 1, 2) @ q), "V": XT @ dV}
        return {name: value.sum(axis=0) for name, value in parts.items()}

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def embedding(fault="", seed=0):
    """Bag of words with an embedding table, most of whose rows are not used."""
    rng = np.random.default_rng(seed)
    words, y = rng.integers(0, 40, (25, 6)), rng.integers(0, 3, 25)
    params = {"E": rng.normal(0, 0.5, (200, 5)), "W": rng.normal(0, 0.5, (5, 3))}

    def loss(p, batch):
        return float(_cross_entropy(softmax(p["E"][batch[0]].mean(axis=1) @ p["W"]), batch[1]))

    def grad(p, batch):
        words, y = batch
        bag = p["E"][words].mean(axis=1)
        dZ = _output_slope(softmax(bag @ p["W"]), y)
        dB = np.repeat((dZ @ p["W"].T / words.shape[1])[:, None, :], words.shape[1], axis=1)
        gE = np.zeros_like(p["E"])
        if fault == "repeats-lost":
            gE[words] += dB
        else:
            np.add.at(gE, words, dB)
        if fault == "one-entry":
            gE[words[0, 0], 2] *= 3
        return {"E": gE, "W": bag.T @ dZ}

    return {"params": params, "loss": loss, "grad": grad, "train": (words, y)}


def layer_norm(fault="", seed=0):
    """Layer normalization, then a linear map; squared error."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(18, 5)), rng.normal(size=(18, 2))
    params = {
        "W": rng.normal(0, 0.6, (5, 6)), "c": rng.normal(0, 0.2, 6), "gamma": np.ones(6), "beta": np.zeros(6),
        "V": rng.normal(0, 0.6, (6, 2)),
    }  # fmt: skip

    def forward(p, X):
        A = X @ p["W"] + p["c"]
        std = np.sqrt(A.var(axis=1, keepdims=True) + 1e-5)
        N = (A - A.mean(axis=1, keepdims=True)) / std
        return std, N, (p["gamma"] * N + p["beta"]) @ p["V"]

    def loss(p, batch):
        return np.mean((forward(p, batch[0])[2] - batch[1]) ** 2)

    def grad(p, batch):
        X, y = batch
        std, N, out = forward(p, X)
        dZ = 2 * (out - y) / y.size
        dU = dZ @ p["V"].T
        dN = dU * (1.0 if fault == "gamma-missing" else p["gamma"])
        dA = dN - dN.mean(axis=1, keepdims=True)
        if fault != "variance-constant":
            dA = dA - N * (dN * N).mean(axis=1, keepdims=True)
        dA = dA / std
        return {
            "W": X.T @ dA, "c": dA.sum(axis=0), "gamma": (dU * N).sum(axis=0), "beta": dU.sum(axis=0),
            "V": (p["gamma"] * N + p["beta"]).T @ dZ,
        }  # fmt: skip

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def residual_net(fault="", seed=0):
    """Two residual sine blocks with one shared matrix; absolute error, which has kinks."""
    rng = np.random.default_rng(seed)
    X, y = classes(rng, 20, 4, 4)[0], rng.normal(size=(20, 4))
    params = {"W": rng.normal(0, 0.5, (4, 4)), "b": np.zeros(4)}

    def forward(p, X):
        A1 = X @ p["W"] + p["b"]
        H1 = X + np.sin(A1)
        A2 = H1 @ p["W"] + p["b"]
        return A1, H1, A2, H1 + np.sin(A2)

    def loss(p, batch):
        return np.mean(np.abs(forward(p, batch[0])[3] - batch[1]))

    def grad(p, batch):
        X, y = batch
        A1, H1, A2, H2 = forward(p, X)
        dH2 = np.sign(H2 - y) / y.size
        dA2 = dH2 * np.cos(A2)
        dH1 = dA2 @ p["W"].T + (0.0 if fault == "skip-forgotten" else dH2)
        dA1 = dH1 * np.cos(A1)
        first = 0.0 if fault == "first-use-lost" else 1.0
        return {"W": H1.T @ dA2 + first * X.T @ dA1, "b": dA2.sum(axis=0) + first * dA1.sum(axis=0)}

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


NETS = {  # by program: the fault, the blocks that it spoils, and the name that the check should give it
    recurrent: {"state-off-by-one": ({"Wh"}, "unknown"), "no-transpose": ({"Wx", "Wh"}, "transpose-missing")},
    convolution: {"relu-missing": ({"K", "b"}, "derivative-missing"), "kernel-flipped": ({"K"}, "rotated")},
    attention: {"jacobian-diagonal": ({"Q", "K"}, "detached"), "scale-missing": ({"Q", "K"}, "factor-2")},
    embedding: {"repeats-lost": ({"E"}, "repeats-lost"), "one-entry": ({"E"}, "one-entry")},
    layer_norm: {"variance-constant": ({"W", "c"}, "detached")},
    residual_net: {
        "skip-forgotten": ({"W", "b"}, "product-rule"), "first-use-lost": ({"W", "b"}, "missing-uses"),
    },
}  # fmt: skip
