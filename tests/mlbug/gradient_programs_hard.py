"""Correct programs that mislead simple gradient checks, and a few faults in such surroundings."""

import itertools

import numpy as np

from tests.mlbug.gradient_programs import classes, softmax


def _linear(rng, n=40, d=5):
    X = rng.normal(size=(n, d))
    return X, X @ rng.normal(size=d) + 0.1 * rng.normal(size=n)


def dropout(fault="", seed=0):
    """Linear model whose loss and gradient draw a dropout mask at every call."""
    rng = np.random.default_rng(seed)
    draws = np.random.default_rng(seed + 1)
    X, y = _linear(rng)

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
    X, y = _linear(rng)
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
    X, y = _linear(rng)

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
    X, y = _linear(rng)

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
    X, y = _linear(rng)

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
