"""A mixture of two normal densities on a line, fitted by expectation maximization: whole steps, no rate."""

import numpy as np


class Mixture:
    """Means ``mu`` (2,), mixing weights ``pi`` (2,) and common precision ``beta`` (1,).

    Parameters
    ----------
    train : tuple of ndarray
        Training data: numbers, shape (n,).
    slip : str
        Mistake in the step: ``precision``, ``responsibility`` or ``mean``; empty for a right step.
    """

    task, l2, kind = "density", 0.0, "mixture"

    def __init__(self, train, slip=""):
        self.train, self.slip = train, slip

    def _terms(self, p, x):
        """Return the log joint density of each number and component, and the log density."""
        logs = np.log(p["pi"]) + 0.5 * np.log(p["beta"][0] / (2.0 * np.pi))
        logs = logs - 0.5 * p["beta"][0] * (x[:, None] - p["mu"]) ** 2
        top = logs.max(axis=1, keepdims=True)
        return logs, top + np.log(np.exp(logs - top).sum(axis=1, keepdims=True))

    def loss(self, p, batch):
        """Return the mean negative log likelihood."""
        return float(-np.mean(self._terms(p, batch[0])[1]))

    def grad(self, p, batch):
        """Return its gradient."""
        x = batch[0]
        logs, total = self._terms(p, x)
        R, error = np.exp(logs - total), x[:, None] - p["mu"]
        return {
            "mu": -(p["beta"][0] * R * error).mean(axis=0),
            "pi": -R.mean(axis=0) / p["pi"],
            "beta": np.array([-(R * (0.5 / p["beta"][0] - 0.5 * error**2)).sum() / len(x)]),
        }

    def update(self, p, grads, lr):
        """Return the parameters after one step of expectation maximization on the training data."""
        x = self.train[0]
        logs, total = self._terms(p, x)
        R = np.exp(logs - total)
        if self.slip == "responsibility":
            R = R / p["pi"] / (R / p["pi"]).sum(axis=1, keepdims=True)
        mu = (R * x[:, None]).sum(axis=0) / (0.5 * len(x) if self.slip == "mean" else R.sum(axis=0))
        spread = (R * (x[:, None] - mu) ** 2).sum() * (2.0 if self.slip == "precision" else 1.0)
        return {"mu": mu, "pi": R.mean(axis=0), "beta": np.array([len(x) / spread])}


def mixture_fields(rng, slip=""):
    """Return a mixture and the fields of its `Problem`."""
    n, centers = int(rng.integers(100, 200)), np.array([-1.0, 1.0]) * rng.uniform(1.2, 2.0)

    def draw():
        return (centers[(rng.random(n) < 0.3).astype(int)] + rng.normal(0.0, 0.6, n),)

    train, test = draw(), draw()
    model = Mixture(train, slip)
    params = {"mu": centers + rng.normal(0.0, 0.4, 2), "pi": np.full(2, 0.5), "beta": np.array([1.0])}
    fields = {"params": params, "loss": model.loss, "grad": model.grad, "train": train, "test": test}
    return model, fields | {"update": model.update}
