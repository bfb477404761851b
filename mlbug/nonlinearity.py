"""Find out which function a layer sends its pre-activations through."""

import numpy as np

FUNCTIONS = {
    "identity": lambda a: a,
    "relu": lambda a: np.maximum(a, 0.0),
    "tanh": np.tanh,
    "sigmoid": lambda a: 0.5 * (1.0 + np.tanh(0.5 * a)),
    "leaky relu": lambda a: np.where(a > 0.0, a, 0.01 * a),
}


def identify(layers, name, params, inputs, scores):
    """Return the function of a layer by what comes after it, or None.

    What follows a dense layer (another layer's pre-activations, the scores, or the logarithm of
    probabilities) is a linear map of the layer's output, and perhaps of the inputs. The map may be one
    of the parameter matrices as it stands; otherwise least squares finds it. With the right function
    nothing is left over but rounding.

    Parameters
    ----------
    layers : dict of str to ndarray
        Pre-activations (n, ...) by name.
    name : str
        The layer asked about.
    params : dict of str to ndarray
        Parameters.
    inputs : ndarray, shape (n, d), or None
        Inputs as a table.
    scores : ndarray, shape (n, k), or None
        Scores of the same examples.

    Returns
    -------
    str or None
        A key of `FUNCTIONS`; None where no candidate fits, or several do. Where tanh and sigmoid alone
        fit, because all units are at their limits, it is ``"sigmoid"``.
    """
    a = layers[name].reshape(len(layers[name]), -1).astype(float)
    for after, centered in _followers(layers, name, scores):
        outputs = {key: function(a) for key, function in FUNCTIONS.items()}
        fitting = {key for key, out in outputs.items() if _is_matrix_times(out, params, after, centered)}
        fitting = fitting or {key for key, out in outputs.items() if _explains(out, None, after)}
        fitting = fitting or {key for key, out in outputs.items() if _explains(out, inputs, after)}
        if fitting == {"tanh", "sigmoid"}:
            return "sigmoid"
        if fitting:
            return fitting.pop() if len(fitting) == 1 else None
    return None


def _followers(layers, name, scores):
    """Yield tables that may be a linear map of the layer's output, and whether their rows are centered."""
    names = list(layers)
    tables = [(layers[other], False) for other in names[names.index(name) + 1 :]]
    if scores is not None and scores.ndim == 2:
        tables.append((scores, False))
        if scores.min() > 0.0:
            logs = np.log(scores)
            if scores.shape[1] > 1:
                tables.append((logs - logs.mean(axis=1, keepdims=True), True))
            if scores.max() < 1.0:
                tables.append((logs - np.log1p(-scores), False))
    for table, centered in tables:
        flat = table.reshape(len(table), -1).astype(float)
        if np.isfinite(flat).all() and np.ptp(flat, axis=0).max() > 1e-6 * np.abs(flat).max():
            yield flat, centered


def _is_matrix_times(out, params, after, centered):
    """Say whether `after` is `out` times a parameter matrix, or its transpose, plus a constant row."""
    for value in params.values():
        for matrix in (value, value.T) if value.ndim == 2 else (value[:, None],) if value.ndim == 1 else ():
            if matrix.shape != (out.shape[1], after.shape[1]):
                continue
            product = out @ matrix.astype(float)
            if centered:
                product = product - product.mean(axis=1, keepdims=True)
            rest = product - after
            if np.ptp(rest, axis=0).max() <= 1e-4 * np.ptp(after, axis=0).max():
                return True
    return False


def _explains(out, inputs, after):
    if inputs is not None:
        out = np.concatenate([out, inputs], axis=1)
    design = np.concatenate([out, np.ones((len(out), 1))], axis=1)
    if len(design) < design.shape[1] + 5:
        return False
    solution = np.linalg.lstsq(design, after, rcond=1e-12)[0]
    residual = np.linalg.norm(after - design @ solution)
    return bool(residual <= 1e-5 * np.linalg.norm(after - after.mean(axis=0)))
