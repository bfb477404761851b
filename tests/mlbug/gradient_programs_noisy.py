"""Correct programs with little precision, ties, constraints or noise, and faults among them."""

import itertools

import numpy as np

from tests.mlbug.gradient_programs import classes, linear, softmax


def float32_deep(fault="", seed=0):
    """Six layers in single precision, loss cast to a float."""
    rng = np.random.default_rng(seed)
    X, y = classes(rng, 64, 10, 4)
    X = X.astype(np.float32)
    widths = [10, 16, 16, 16, 16, 16, 4]
    params = {
        f"W{i}": rng.normal(0, 1.3 / np.sqrt(a), (a, b)).astype(np.float32)
        for i, (a, b) in enumerate(itertools.pairwise(widths))
    }

    def forward(p, X):
        H = [X]
        for i in range(5):
            H.append(np.maximum(H[-1] @ p[f"W{i}"], np.float32(0)))
        return H, softmax(H[-1] @ p["W5"])

    def loss(p, batch):
        P = forward(p, batch[0])[1]
        return float(-np.mean(np.log(P[np.arange(len(P)), batch[1]])))

    def grad(p, batch):
        X, y = batch
        H, P = forward(p, X)
        d = (P - np.eye(4, dtype=np.float32)[y]) / np.float32(len(y))
        g = {}
        for i in range(5, -1, -1):
            g[f"W{i}"] = H[i].T @ d
            d = (d @ p[f"W{i}"].T) * (H[i] > 0)
        if fault == "two-percent":
            g["W3"] *= np.float32(1.02)
        return {name: g[name] for name in p}

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def offset_loss(fault="", seed=0):
    """A large constant hides the slope's digits from differences; float() hides the complex result twice."""
    rng = np.random.default_rng(seed)
    X, y = linear(rng)

    def loss(p, batch):
        return 1e6 + float(np.mean((batch[0] @ p["w"] - batch[1]) ** 2)) * 1e-3

    def grad(p, batch):
        X, y = batch
        return {"w": (1e-3 if fault == "factor" else 2e-3) * X.T @ (X @ p["w"] - y) / len(y)}

    return {"params": {"w": rng.normal(size=5)}, "loss": loss, "grad": grad, "train": (X, y)}


def max_pool(fault="", seed=0):
    """Maximum over positions; equal entries tie, and the first of them gets the slope."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(15, 7, 3)))
    y = rng.normal(size=15)

    def loss(p, batch):
        return np.mean(((batch[0] * p["s"]).max(axis=1) @ p["v"] - batch[1]) ** 2)

    def grad(p, batch):
        X, y = batch
        Z = X * p["s"]
        M = Z.max(axis=1)
        r = 2 * (M @ p["v"] - y) / len(y)
        first = Z.argmin(axis=1) if fault == "argmin" else Z.argmax(axis=1)
        chosen = np.take_along_axis(X, first[:, None, :], axis=1)[:, 0]
        return {"s": (r[:, None] * p["v"] * chosen).sum(axis=0), "v": M.T @ r}

    params = {"s": np.array([1.0, -0.5, 2.0]), "v": rng.normal(size=3)}
    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def chain_field(fault="", seed=0):
    """Linear-chain conditional random field: log partition function by the forward recursion."""
    rng = np.random.default_rng(seed)
    n, t, k = 8, 4, 3
    X, y = rng.normal(size=(n, t, 5)), rng.integers(0, k, (n, t))
    params = {"W": rng.normal(0, 0.5, (5, k)), "T": rng.normal(0, 0.5, (k, k))}

    def log_sum(a, axis):
        top = a.max(axis=axis, keepdims=True)
        return np.log(np.exp(a - top).sum(axis=axis)) + top.squeeze(axis)

    def messages(U, T):
        alpha, beta = [U[:, 0]], [np.zeros_like(U[:, 0])]
        for i in range(1, t):
            alpha.append(log_sum(alpha[-1][:, :, None] + T, 1) + U[:, i])
            beta.append(log_sum(T + (beta[-1] + U[:, t - i])[:, None, :], 2))
        return alpha, beta[::-1]

    def loss(p, batch):
        X, y = batch
        U = X @ p["W"]
        score = np.take_along_axis(U, y[:, :, None], 2).sum() + p["T"][y[:, :-1], y[:, 1:]].sum()
        return (log_sum(messages(U, p["T"])[0][-1], 1).sum() - score) / len(X)

    def grad(p, batch):
        X, y = batch
        U = X @ p["W"]
        alpha, beta = messages(U, p["T"])
        total = log_sum(alpha[-1], 1)[:, None]
        dU = (
            np.stack([np.exp(a + b - total) for a, b in zip(alpha, beta, strict=True)], axis=1) - np.eye(k)[y]
        )
        dT = np.zeros((k, k))
        for i in range(1, t):
            joint = alpha[i - 1][:, :, None] + p["T"] + (U[:, i] + beta[i])[:, None, :] - total[:, :, None]
            dT += np.exp(joint).sum(axis=0)
            if fault != "pairs-forgotten":
                np.add.at(dT, (y[:, i - 1], y[:, i]), -1.0)
        return {"W": np.einsum("ntd,ntk->dk", X, dU) / len(X), "T": dT / len(X)}

    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def rayleigh(fault="", seed=0):
    """Power iteration; the gradient formula holds for unit vectors, and the update needs none."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 4)) * np.array([3.0, 1.0, 0.5, 0.2])
    w = rng.normal(size=4)

    def loss(p, batch):
        return -p["w"] @ (batch[0].T @ batch[0]) @ p["w"] / (p["w"] @ p["w"]) / len(batch[0])

    def grad(p, batch):
        C = batch[0].T @ batch[0] / len(batch[0])
        return {"w": -2 * (C @ p["w"] - (p["w"] @ C @ p["w"]) * p["w"])}

    def update(p, grads, lr):
        v = X.T @ (X @ p["w"])
        return {"w": v / np.linalg.norm(v)}

    return {
        "params": {"w": w / np.linalg.norm(w)},
        "loss": loss,
        "grad": grad,
        "train": (X,),
        "update": update,
    }


def noisy_solver(fault="", seed=0):
    """The loss is the end of a fixed-point iteration that stops at 1e-9: its noise is far above rounding."""
    rng = np.random.default_rng(seed)
    X, y = linear(rng)

    def root(p, X):
        z = np.zeros(len(X))
        for _ in range(200):
            new = 0.5 * np.cos(z) + np.tanh(np.real(X @ p["w"]))
            done = np.max(np.abs(new - z)) < 1e-7
            z = new
            if done:
                break
        return z

    def loss(p, batch):
        return float(np.mean((root(p, batch[0]) - batch[1]) ** 2))

    def grad(p, batch):
        X, y = batch
        z = root(p, X)
        slope = 1.0 if fault == "implicit-term-missing" else 1 / (1 + 0.5 * np.sin(z))
        return {"w": X.T @ (2 * (z - y) * slope * (1 - np.tanh(X @ p["w"]) ** 2)) / len(y)}

    return {"params": {"w": 0.3 * rng.normal(size=5)}, "loss": loss, "grad": grad, "train": (X, y)}
