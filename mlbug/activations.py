"""Watch the pre-activations: dead and saturated units, vanishing and exploding, units that are alike."""

import numpy as np

from .gradient_sizes import update_sizes, vanishing_gradients
from .guard import UserFunctionError
from .nonlinearity import identify
from .probing import all_inputs, as_table, attempt, finite, first_rows
from .problem import as_guard
from .report import Finding

ROWS = 400
SATURATED = {"tanh": 2.65, "sigmoid": 5.3}  # where the derivative is below 2 % of its largest value


def check_activations(problem, seed=0):
    """Check layer by layer what reaches the units and what comes back to them.

    Looked for: units whose pre-activation is negative for every example while nothing comes back to
    their weights; tanh and sigmoid units far out in their flat parts; pre-activations that grow or
    shrink from layer to layer; gradients that do; units that are copies of one another; and updates far
    from the size of their parameters (a wide band, since published advice spans three orders).

    Parameters
    ----------
    problem : Problem or Guard
        The program, with `activations`; without, gradients alone are judged.
    seed : int, optional
        Seed, passed on to the guard.

    Returns
    -------
    list of Finding
    """
    guard = as_guard(problem, seed)
    batch = first_rows(guard.problem.train, ROWS)
    try:
        grads = guard.grad(guard.params(), batch)
    except UserFunctionError as error:
        return [Finding("activations", "skipped", meaning=f"There is no gradient to judge by: {error}.")]
    findings = vanishing_gradients(guard, batch) + update_sizes(guard, grads) if finite(grads) else []
    if guard.problem.activations is None:
        text = "The program gives no pre-activations; only gradients were judged."
        return [*findings, Finding("activations", "skipped", meaning=text)]
    layers = attempt(guard.activations, guard.params(), guard.inputs_of(batch))
    if not layers or not finite(layers):
        text = "The pre-activations could not be computed, or are not finite: see the setup check."
        return [*findings, Finding("activations", "skipped", meaning=text)]
    found = _layers(guard, batch, layers, grads) + _depth(layers) + _copies(layers)
    return [*findings, *found] if findings or found else [_ok(layers)]


def _ok(layers):
    sizes = {name: float(np.abs(value).mean()) for name, value in layers.items()}
    return Finding(
        "activations", "ok", (), {"mean absolute pre-activation": sizes}, "All layers are alive.", "", "alive"
    )


def _layers(guard, batch, layers, grads):
    inputs = as_table(all_inputs(batch))
    scores = attempt(guard.scores, guard.params(), guard.inputs_of(batch)) if guard.problem.scores else None
    findings = []
    for name, value in layers.items():
        flat = value.reshape(-1, value.shape[-1]) if value.ndim > 1 else value[:, None]
        function = identify(layers, name, guard.problem.params, inputs, scores)
        finding = _dead(name, flat, function, grads) or _saturated(name, flat, function)
        if finding is not None:
            findings.append(finding)
    return findings


def _silent(grads, units):
    """Return, for the bias or weight arrays with `units` columns, the share of columns with zero gradient."""
    shares = {}
    for name, value in grads.items():
        if value.ndim >= 1 and value.shape[-1] == units:
            columns = value.reshape(-1, units)
            shares[name] = float(np.mean(~columns.any(axis=0)))
    return shares


def _dead(name, flat, function, grads):
    """Report units that are below zero for all examples and get no gradient."""
    negative = (flat <= 0.0).all(axis=0) & (flat < 0.0).any(axis=0)
    share = float(negative.mean())
    quiet = _silent(grads, flat.shape[1])
    everything = all(not value.any() for value in grads.values())
    if share < 0.5 or function in ("tanh", "sigmoid", "identity", "leaky relu"):
        return None
    cut = everything or any(value >= share for value in quiet.values())
    if not cut:
        return None
    evidence = {
        "share of dead units": share,
        "share of columns without gradient": quiet,
        "largest": float(flat.max()),
    }
    units = "its only unit" if flat.shape[1] == 1 else f"{share:.0%} of its {flat.shape[1]} units"
    text = (
        f"In layer {name} the pre-activation of {units} is below zero for every example (largest: "
        f"{flat.max():.3g}), and no "
        "gradient comes back: a ReLU there answers 0 and cannot learn."
    )
    step = "Start with a positive bias or smaller weights, or take a function with a slope on both sides."
    status = "fault" if share >= 0.9 else "suspect"
    return Finding("activations", status, (name,), evidence, text, step, "dead-units")


def _saturated(name, flat, function):
    if function not in SATURATED:
        return None
    share = float(np.mean(np.abs(flat) > SATURATED[function]))
    if share < 0.5:
        return None
    evidence = {
        "share saturated": share,
        "mean absolute pre-activation": float(np.abs(flat).mean()),
        "function": function,
    }
    text = (
        f"In layer {name} {share:.0%} of the {function} inputs lie beyond ±{SATURATED[function]}, "
        "where the slope is below "
        f"2 % of its largest (mean absolute pre-activation {np.abs(flat).mean():.3g}): hardly any "
        "gradient passes."
    )
    step = "Scale the inputs to spread 1 and the weights by one over the square root of the number of inputs."
    status = "fault" if share >= 0.8 else "suspect"
    return Finding("activations", status, (name,), evidence, text, step, "saturated")


def _depth(layers):
    """Compare the spread over examples of the pre-activations from layer to layer."""
    names = list(layers)
    if len(names) < 3:
        return []
    spread = [float(np.median(value.reshape(len(value), -1).std(axis=0))) for value in layers.values()]
    if min(spread) <= 0.0:
        return []
    ratio = spread[-1] / spread[0]
    evidence = dict(zip(names, spread, strict=True))
    steady = np.diff(np.log(spread))
    for sign, kind, word in ((-1.0, "vanishing", "shrinks"), (1.0, "exploding", "grows")):
        if sign * np.log10(ratio) > 2.0 and np.mean(sign * steady > 0) >= 0.7:
            text = (
                f"What the examples do to the pre-activations {word} from layer to layer, from a "
                f"spread of {spread[0]:.3g} "
                f"in {names[0]} to {spread[-1]:.3g} in {names[-1]}."
            )
            step = (
                "Scale the weights by one over the square root of the inputs (twice that variance for ReLU)."
            )
            status = "fault" if sign * np.log10(ratio) > 4.0 else "suspect"
            return [Finding("activations", status, tuple(names), {"spread": evidence}, text, step, kind)]
    return []


def _copies(layers):
    """Report layers all of whose units give the same pre-activation for every example."""
    findings = []
    for name, value in layers.items():
        flat = value.reshape(-1, value.shape[-1]) if value.ndim > 1 else value[:, None]
        varies = np.ptp(flat, axis=0).max() > 1e-9 * max(np.abs(flat).max(), 1e-300)
        if flat.shape[1] > 1 and varies and np.ptp(flat, axis=1).max() <= 1e-9 * np.abs(flat).max():
            text = (
                f"All {flat.shape[1]} units of layer {name} have the same pre-activation for every example."
            )
            step = "Start their weights at random values, different for each unit."
            findings.append(
                Finding("activations", "fault", (name,), {"units": flat.shape[1]}, text, step, "symmetry")
            )
    return findings
