"""Networks that read sequences: a recurrent and a convolutional one."""

import numpy as np

from .networks import Network


class Recurrent(Network):
    """A tanh network that reads a sequence (n, steps, d) and answers at its end."""

    def __init__(self, d, h, k, task, l2=0.0, slip=""):
        super().__init__(task, l2, slip)
        self.d, self.h, self.k = d, h, k

    def start(self, rng):
        """Return random parameters."""
        d, h, k = self.d, self.h, self.k
        return {
            "Wx": rng.normal(0.0, 0.7 / np.sqrt(d), (d, h)),
            "Wh": rng.normal(0.0, 0.8 / np.sqrt(h), (h, h)),
            "bh": rng.normal(0.0, 0.05, h),
            "Wy": rng.normal(0.0, 0.5 / np.sqrt(h), (h, k)),
            "by": np.zeros(k),
        }

    def forward(self, p, X):
        """Return pre-activations by step, the output's last, and hidden states."""
        A, H = [], [np.zeros((len(X), self.h))]
        for t in range(X.shape[1]):
            A.append(X[:, t] @ p["Wx"] + H[-1] @ p["Wh"] + p["bh"])
            H.append(np.tanh(A[-1]))
        return [*A, H[-1] @ p["Wy"] + p["by"]], H

    def backward(self, p, X, A, H, dA):
        """Return the gradient, back through all steps."""
        g = {name: np.zeros_like(value) for name, value in p.items()}
        g["Wy"], g["by"] = H[-1].T @ dA, dA.sum(axis=0)
        dH = dA @ p["Wy"].T
        for t in reversed(range(X.shape[1])):
            d = dH * (1.0 - H[t + 1] ** 2)
            g["Wx"] += X[:, t].T @ d
            g["Wh"] += H[t].T @ d
            g["bh"] += d.sum(axis=0)
            dH = 0.0 * dH if self.slip == "no-carry" else d @ p["Wh"].T
        return g


class Convolutional(Network):
    """One convolution over a sequence (n, length), ReLU, mean over the places, and a linear layer."""

    def __init__(self, width, h, k, task, l2=0.0, slip=""):
        super().__init__(task, l2, slip)
        self.width, self.h, self.k = width, h, k

    def start(self, rng):
        """Return random parameters."""
        return {
            "K": rng.normal(0.0, np.sqrt(2.0 / self.width), (self.width, self.h)),
            "c": rng.normal(0.0, 0.05, self.h),
            "W": rng.normal(0.0, 1.0 / np.sqrt(self.h), (self.h, self.k)),
            "b": np.zeros(self.k),
        }

    def forward(self, p, X):
        """Return the two pre-activations, and windows and means."""
        windows = np.lib.stride_tricks.sliding_window_view(X, self.width, axis=1)
        A = windows @ p["K"] + p["c"]
        M = np.maximum(A, 0.0).mean(axis=1)
        return [A, M @ p["W"] + p["b"]], [windows, M]

    def backward(self, p, X, A, H, dA):
        """Return the gradient."""
        dM = (dA @ p["W"].T)[:, None, :] * (A[0] > 0) / A[0].shape[1]
        windows = H[0]
        if self.slip == "one-window":
            windows, dM = windows[:, :1], dM[:, :1]
        return {
            "K": np.einsum("ntw,nth->wh", windows, dM),
            "c": dM.sum(axis=(0, 1)),
            "W": H[1].T @ dA,
            "b": dA.sum(axis=0),
        }
