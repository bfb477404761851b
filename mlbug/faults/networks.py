"""Small hand-written networks with a place for each slip that only the network itself can make."""

import numpy as np

ACTIVATIONS = {
    "tanh": (np.tanh, lambda a, h: 1.0 - h**2),
    "relu": (lambda a: np.maximum(a, 0.0), lambda a, h: (a > 0).astype(float)),
    "sigmoid": (lambda a: 0.5 * (1.0 + np.tanh(0.5 * a)), lambda a, h: h * (1.0 - h)),
}


def softmax(Z, axis=1):
    """Return probabilities along `axis`."""
    E = np.exp(Z - Z.max(axis=axis, keepdims=True))
    return E / E.sum(axis=axis, keepdims=True)


def log_softmax(Z, axis=1):
    """Return the logarithms of the probabilities along `axis`, without overflow."""
    Z = Z - Z.max(axis=axis, keepdims=True)
    return Z - np.log(np.exp(Z).sum(axis=axis, keepdims=True))


class Network:
    """Loss and output gradient that all kinds share; subclasses give `forward` and `backward`.

    Parameters
    ----------
    task : {"classes", "values", "inputs"}
        Softmax classifier, regression on a number, or autoencoder (mean squared errors).
    l2 : float
        Strength of the penalty on arrays with two or more axes.
    slip : str
        Name of the mistake to make; empty for a right network.
    """

    def __init__(self, task, l2=0.0, slip=""):
        self.task, self.l2, self.slip = task, l2, slip

    def output(self, Z):
        """Return what the network answers, from its last pre-activation (n, k)."""
        if self.slip == "dead-output":
            return np.maximum(Z, 0.0)
        if self.task == "classes":
            return softmax(Z, axis=0 if self.slip == "softmax-axis" else 1)
        return Z

    def loss(self, p, batch, l2=None):
        """Return the mean loss over the batch, penalty included."""
        X, y = batch[0], batch[-1]
        Z = self.forward(p, X)[0][-1]
        out = self.output(Z)
        if self.task == "classes":
            chosen = log_softmax(Z, axis=0 if self.slip == "softmax-axis" else 1)[np.arange(len(y)), y]
            fit = -np.sum(chosen) if self.slip == "loss-sum" else -np.mean(chosen)
        else:
            error = out - y if self.task == "inputs" or self.slip == "broadcast" else out[:, 0] - y
            fit = np.sum(error**2) if self.slip == "loss-sum" else np.mean(error**2)
        strength = self.l2 if l2 is None else l2
        return float(fit + strength * sum(np.sum(v**2) for v in p.values() if v.ndim > 1))

    def grad(self, p, batch, l2=None):
        """Return the gradient by parameter name."""
        X, y = batch[0], batch[-1]
        A, H = self.forward(p, X)
        g = self.backward(p, X, A, H, self.output_gradient(A[-1], y))
        strength = self.l2 if l2 is None else l2
        strength *= {"penalty-missing": 0.0, "penalty-doubled": 2.0}.get(self.slip, 1.0)
        return {n: g[n] + 2.0 * strength * v if v.ndim > 1 else g[n] for n, v in p.items()}

    def output_gradient(self, Z, y):
        """Return the derivative of the mean loss by the last pre-activation."""
        out, n = self.output(Z), len(Z)
        if self.task == "classes":
            hot = np.eye(Z.shape[1])[y]
            if self.slip == "softmax-axis":
                return out * np.sum(hot / n, axis=0) - hot / n
            return (0.0 if self.slip == "softmax-term" else out / n) - hot / n
        if self.slip == "broadcast":
            return 2.0 * (out - y).sum(axis=1, keepdims=True) / (n * len(y))
        error = out - y if self.task == "inputs" else out - y[:, None]
        slope = (Z > 0) if self.slip == "dead-output" else 1.0
        return 2.0 * error * slope / error.size

    def scores(self, p, inputs):
        """Return the answers for `inputs`, one row an example."""
        X = inputs[0] if isinstance(inputs, (tuple, list)) else inputs
        return self.output(self.forward(p, X)[0][-1])

    def activations(self, p, inputs):
        """Return the pre-activations by layer name."""
        X = inputs[0] if isinstance(inputs, (tuple, list)) else inputs
        A = self.forward(p, X)[0]
        return {f"layer{i + 1}": a.reshape(len(a), -1) for i, a in enumerate(A)}


class Feedforward(Network):
    """Linear layers ``W1, b1, W2, b2, ...`` with one nonlinearity between them."""

    def __init__(self, sizes, activation, task, l2=0.0, slip=""):
        super().__init__(task, l2, slip)
        self.depth, self.sizes = len(sizes) - 1, sizes
        self.f, self.df = ACTIVATIONS[activation]

    def start(self, rng):
        """Return random parameters whose scale keeps the signal through the layers."""
        gain = np.sqrt(2.0) if self.f is ACTIVATIONS["relu"][0] else 1.0
        p = {}
        for i, (d, h) in enumerate(zip(self.sizes[:-1], self.sizes[1:], strict=True), start=1):
            scale = (gain if i < self.depth else 0.5) / np.sqrt(d)
            p[f"W{i}"], p[f"b{i}"] = rng.normal(0.0, scale, (d, h)), rng.normal(0.0, 0.05, h)
        return p

    def forward(self, p, X):
        """Return pre-activations and activations of all layers."""
        A, H = [], [X * 0.0 if self.slip == "input-lost" else X]
        for i in range(1, self.depth + 1):
            A.append(H[-1] @ p[f"W{i}"] + p[f"b{i}"])
            H.append(self.f(A[-1]))
        return A, H

    def backward(self, p, X, A, H, dA):
        """Return the gradient from the derivative by the last pre-activation."""
        g = {}
        for i in range(self.depth, 0, -1):
            g[f"W{i}"], g[f"b{i}"] = H[i - 1].T @ dA, dA.sum(axis=0)
            if i > 1:
                dA = dA @ p[f"W{i}"].T
                if self.slip != "derivative-missing":
                    dA = dA * self.df(A[i - 2], H[i - 1])
                if self.slip == "detached" and i == 2:
                    dA = 0.0 * dA
        return g
