"""Correct programs that mislead simple gradient checks, and a few faults in such surroundings."""

import numpy as np

from tests.mlbug.gradient_programs import classes, linear, softmax
from tests.mlbug.gradient_programs_noisy import (
    chain_field,
    float32_deep,
    max_pool,
    noisy_solver,
    offset_loss,
    rayleigh,
)


def dropout(fault="", seed=0):
    """Linear model whose loss and gradient draw a dropout mask at every call."""
    rng = np.random.default_rng(seed)
    draws = np.random.default_rng(seed + 1)
    X, y = linear(rng)

    def residual(p, batch):
        mask = (draws.random(batch[0].shape) < 0.8) / 0.8
        return mask, (batch[0] * mask) @ p["w"] - batch[1]

    def loss(p, batch):
        return float(np.mean(residual(p, batch)[1] ** 2))

    def grad(p, batch):
        mask, r = residual(p, batch)
        masked = batch[0] if fault == "mask-forgotten" else batch[0] * mask
        return {"w": 2 * masked.T @ r / len(r)}

    return {"params": {"w": rng.normal(size=5)}, "loss": loss, "grad": grad, "train": (X, y)}


def variational(fault="", seed=0):
    """Variational autoencoder, one sample drawn a call from numpy's global generator."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 4))
    params = {
        "M": rng.normal(0, 0.5, (4, 2)),
        "S": rng.normal(0, 0.2, (4, 2)),
        "D": rng.normal(0, 0.5, (2, 4)),
    }

    def forward(p, X):
        mean, log_std = X @ p["M"], X @ p["S"]
        noise = np.random.standard_normal(mean.shape)  # noqa: NPY002
        z = mean + np.exp(log_std) * noise
        return mean, log_std, noise, z, z @ p["D"] - X

    def loss(p, batch):
        mean, log_std, _, _, r = forward(p, batch[0])
        kl = 0.5 * (mean**2 + np.exp(2 * log_std) - 1 - 2 * log_std)
        return (0.5 * (r**2).sum() + kl.sum()) / len(r)

    def grad(p, batch):
        X = batch[0]
        mean, log_std, noise, z, r = forward(p, X)
        dz = r @ p["D"].T
        dmean = dz + mean
        dlog = dz * noise * np.exp(log_std) + (0.0 if fault == "kl-forgotten" else np.exp(2 * log_std) - 1)
        return {"M": X.T @ dmean / len(X), "S": X.T @ dlog / len(X), "D": z.T @ r / len(X)}

    return {"params": params, "loss": loss, "grad": grad, "train": (X,)}


def hinge(fault="", seed=0):
    """Linear support vector machine started at zero: every margin is far from its kink, |w| sits on one."""
    rng = np.random.default_rng(seed)
    X, y = linear(rng)
    y = np.sign(y)

    def loss(p, batch):
        X, y = batch
        return np.maximum(0, 1 - y * (X @ p["w"] + p["b"])).mean() + 0.1 * np.abs(p["w"]).sum()

    def grad(p, batch):
        X, y = batch
        c = -y * (1 - y * (X @ p["w"] + p["b"]) > 0) / len(y)
        if fault == "margin-at-zero":
            c = -y * (y * (X @ p["w"] + p["b"]) < 0) / len(y)
        return {"w": X.T @ c + 0.1 * np.sign(p["w"]), "b": np.array(c.sum())}

    return {"params": {"w": np.zeros(5), "b": np.array(0.0)}, "loss": loss, "grad": grad, "train": (X, y)}


def zero_last_layer(fault="", seed=0):
    """Network whose last layer starts at zero, so that no slope reaches the first one at the start."""
    rng = np.random.default_rng(seed)
    X, y = linear(rng)

    def loss(p, batch):
        return np.mean((np.tanh(batch[0] @ p["W"]) @ p["v"] - batch[1]) ** 2)

    def grad(p, batch):
        X, y = batch
        H = np.tanh(X @ p["W"])
        r = 2 * (H @ p["v"] - y) / len(y)
        return {
            "W": X.T @ (np.outer(r, p["v"]) * (1.0 if fault == "tanh-missing" else 1 - H**2)),
            "v": H.T @ r,
        }

    params = {"W": rng.normal(size=(5, 6)), "v": np.zeros(6)}
    return {"params": params, "loss": loss, "grad": grad, "train": (X, y)}


def mixture(fault="", seed=0):
    """Gaussian mixture by logaddexp, parameters by their logarithms."""
    rng = np.random.default_rng(seed)
    x = np.concatenate([rng.normal(-2, 0.5, 30), rng.normal(1, 1.0, 30)])
    params = {"mean": np.array([-1.0, 0.5]), "log_std": np.array([0.1, -0.2]), "logit": np.array(0.3)}

    def parts(p, x):
        log_pi = np.stack([-np.logaddexp(0, -p["logit"]), -np.logaddexp(0, p["logit"])])
        return log_pi - 0.5 * ((x[:, None] - p["mean"]) / np.exp(p["log_std"])) ** 2 - p["log_std"]

    def loss(p, batch):
        terms = parts(p, batch[0])
        return -np.logaddexp(terms[:, 0], terms[:, 1]).mean()

    def grad(p, batch):
        x = batch[0]
        R = softmax(parts(p, x)) / len(x)
        u = (x[:, None] - p["mean"]) / np.exp(p["log_std"])
        first = 1 / (1 + np.exp(-p["logit"]))
        dlog = -(R * (u**2 - (0 if fault == "normalizer-forgotten" else 1))).sum(axis=0)
        return {
            "mean": -(R * u / np.exp(p["log_std"])).sum(axis=0), "log_std": dlog,
            "logit": -(R[:, 0].sum() - first),
        }  # fmt: skip

    return {"params": params, "loss": loss, "grad": grad, "train": (x,)}


def log_with_epsilon(fault="", seed=0):
    """Cross-entropy that adds 1e-12 inside the log, gradient without it: it does not matter."""
    rng = np.random.default_rng(seed)
    X, y = classes(rng, 40, 4, 3)

    def loss(p, batch):
        P = softmax(batch[0] @ p["W"])
        return float(-np.mean(np.log(P[np.arange(len(P)), batch[1]] + 1e-12)))

    def grad(p, batch):
        X, y = batch
        one = np.eye(3)[y]
        return {"W": X.T @ (softmax(X @ p["W"]) - (0.9 * one if fault == "label-shrunk" else one)) / len(y)}

    return {"params": {"W": rng.normal(0, 0.5, (4, 3))}, "loss": loss, "grad": grad, "train": (X, y)}


HARD = {  # by program: the fault and the blocks that it spoils
    dropout: {"mask-forgotten": {"w"}},
    variational: {"kl-forgotten": {"S"}},
    hinge: {"margin-at-zero": {"w", "b"}},
    zero_last_layer: {"tanh-missing": {"W"}},
    mixture: {"normalizer-forgotten": {"log_std"}},
    log_with_epsilon: {"label-shrunk": {"W"}},
    float32_deep: {"two-percent": {"W3"}},
    offset_loss: {"factor": {"w"}},
    max_pool: {"argmin": {"s"}},
    chain_field: {"pairs-forgotten": {"T"}},
    rayleigh: {},
    noisy_solver: {"implicit-term-missing": {"w"}},
}
