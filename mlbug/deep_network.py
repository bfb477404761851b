"""A plain deep network with one output, small enough to watch from layer to layer."""

from dataclasses import dataclass

import numpy as np

FUNCTIONS = {
    "tanh": (np.tanh, lambda z, h: 1.0 - h * h),
    "relu": (lambda z: np.maximum(z, 0.0), lambda z, h: (z > 0.0).astype(float)),
}


@dataclass(frozen=True)
class DeepNetwork:
    """A fully connected network with a linear output and half the mean squared error as its loss.

    Its methods have the form that `Problem` wants.

    Parameters
    ----------
    sizes : tuple of int
        Number of inputs, units of each hidden layer, number of outputs.
    function : {"tanh", "relu"}
        Activation function of the hidden layers.

    Raises
    ------
    ValueError
        If there are fewer than two sizes, or the function is unknown.
    """

    sizes: tuple[int, ...]
    function: str = "tanh"

    def __post_init__(self):
        if len(self.sizes) < 2:
            raise ValueError(f"sizes needs inputs and outputs at least, but {self.sizes} came")
        if self.function not in FUNCTIONS:
            raise ValueError(f"function must be one of {', '.join(FUNCTIONS)}, but {self.function!r} came")

    @property
    def depth(self):
        """Number of layers with weights."""
        return len(self.sizes) - 1

    def start(self, scale=1.0, seed=0):
        """Return normal weights of variance scale² / inputs and biases of 0.

        Parameters
        ----------
        scale : float
            1 keeps the size of what passes a linear layer; see Glorot and Bengio (2010).
        seed : int
            Seed of the draw; the same normal numbers serve every scale.

        Returns
        -------
        dict
            ``W1``, ``b1``, ``W2``, ...: arrays of shape (inputs, units) and (units,).
        """
        rng = np.random.default_rng(seed)
        params = {}
        for layer, (fan_in, units) in enumerate(zip(self.sizes, self.sizes[1:], strict=False), start=1):
            params[f"W{layer}"] = scale * rng.standard_normal((fan_in, units)) / np.sqrt(fan_in)
            params[f"b{layer}"] = np.zeros(units)
        return params

    def activations(self, params, inputs):
        """Return the pre-activations by layer, ``layer1`` onwards, each of shape (n, units)."""
        function, _ = FUNCTIONS[self.function]
        found, h = {}, inputs
        for layer in range(1, self.depth + 1):
            z = h @ params[f"W{layer}"] + params[f"b{layer}"]
            found[f"layer{layer}"] = z
            h = function(z)
        return found

    def scores(self, params, inputs):
        """Return the outputs, shape (n, outputs)."""
        return self.activations(params, inputs)[f"layer{self.depth}"]

    def loss(self, params, batch):
        """Return half the mean squared error over examples and outputs."""
        inputs, targets = batch
        return 0.5 * float(np.mean((self.scores(params, inputs) - targets) ** 2))

    def grad(self, params, batch):
        """Return the gradient of `loss`, arrays by the names and of the shapes of `params`."""
        inputs, targets = batch
        function, slope = FUNCTIONS[self.function]
        z = list(self.activations(params, inputs).values())
        outputs = [inputs] + [function(value) for value in z[:-1]]
        back = (z[-1] - targets) / targets.size
        grads = {}
        for layer in range(self.depth, 0, -1):
            grads[f"W{layer}"] = outputs[layer - 1].T @ back
            grads[f"b{layer}"] = back.sum(axis=0)
            if layer > 1:
                back = (back @ params[f"W{layer}"].T) * slope(z[layer - 2], outputs[layer - 1])
        return {name: grads[name] for name in params}


def deep_data(n=256, inputs=8, seed=1):
    """Draw normal inputs and smooth targets of unit size that a deep network can fit.

    Parameters
    ----------
    n, inputs : int
        Number of examples and of inputs.
    seed : int
        Seed of the draw.

    Returns
    -------
    x : ndarray, shape (n, inputs)
    y : ndarray, shape (n, 1)
    """
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, inputs))
    direction = rng.standard_normal((inputs, 2)) / np.sqrt(inputs)
    a, b = (x @ direction).T
    return x, (a + a * b)[:, None]
