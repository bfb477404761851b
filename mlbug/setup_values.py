"""Questions on the values themselves: NaN and infinity, and numbers without fractions."""

import numpy as np

from .guard import UserFunctionError
from .probing import all_inputs, finite
from .report import Finding


def not_finite(guard):
    """Find NaN and infinity, the earliest place first."""
    batch, params = guard.problem.train, guard.params()
    places = [name for name, value in params.items() if not np.isfinite(value).all()]
    arrays = {"inputs": all_inputs(batch), "targets": batch[-1:]}
    data = [
        place
        for place, group in arrays.items()
        if any(a.dtype.kind == "f" and not np.isfinite(a).all() for a in group)
        and not (len(batch) == 1 and place == "targets")
    ]
    loss, grads = guard.loss(params, batch), guard.grad(params, batch)
    bad_grads = [name for name, value in grads.items() if not np.isfinite(value).all()]
    if np.isfinite(loss) and not bad_grads and not places:
        return _missing_values(data)
    evidence = {
        "loss": loss,
        "finite loss": bool(np.isfinite(loss)),
        "not finite": [*data, *places, *(f"gradient of {name}" for name in bad_grads)],
    }
    if places or data:
        origin = " and ".join(data + places)
        meaning = f"There is a NaN or an infinity in {origin}, and it reaches the loss or the gradient."
        step = "Remove or fill in the values that are not finite before training."
        return [Finding("setup", "fault", tuple(data + places), evidence, meaning, step, "not-finite")]
    example = _first_bad_example(guard, params) if not np.isfinite(loss) else None
    layers = _bad_layers(guard, params)
    if example is not None:
        evidence["first example"] = example
    source = (
        f"the loss is {loss}"
        if not np.isfinite(loss)
        else f"the gradient of {', '.join(bad_grads)} is not finite"
    )
    meaning = f"Data and parameters are finite, yet {source}" + (
        f"; layer {layers[0]} is the first with values that an exponential cannot take."
        if layers
        else f"; example {example} is the first for which it is."
        if example is not None
        else "."
    )
    step = (
        "Look for a logarithm or a division at zero, or an exponential of a large number, and rewrite "
        "it stably."
    )
    return [Finding("setup", "fault", tuple(layers[:1] or bad_grads), evidence, meaning, step, "not-finite")]


def _missing_values(data):
    if not data:
        return []
    meaning = f"There are NaN or infinite values in {' and '.join(data)}; the loss copes with them."
    return [
        Finding(
            "setup", "suspect", tuple(data), {}, meaning, "Make sure that this is meant.", "not-finite-data"
        )
    ]


def _first_bad_example(guard, params):
    for i in range(min(len(guard.problem.train[0]), 200)):
        try:
            if not np.isfinite(guard.loss(params, guard.take(guard.problem.train, slice(i, i + 1)))):
                return i
        except UserFunctionError:
            return None
    return None


def _bad_layers(guard, params):
    if guard.problem.activations is None:
        return []
    try:
        layers = guard.activations(params, guard.inputs_of(guard.problem.train))
    except UserFunctionError:
        return []
    broken = [name for name, value in layers.items() if not finite({name: value})]
    # the exponential of 700 is about the largest float64
    return broken or [name for name, value in layers.items() if np.abs(value).max() > 700.0]


def integer_arrays(guard):
    """Report integer parameters and integer gradients, which cut what is written into them."""
    params, findings = guard.params(), []
    whole = [name for name, value in params.items() if value.dtype.kind in "iub"]
    if whole:
        kept = _stay_integer(guard, params, whole)
        findings.append(
            Finding(
                "setup",
                "fault" if kept else "suspect",
                tuple(kept or whole),
                {name: str(params[name].dtype) for name in whole},
                f"{', '.join(whole)} hold whole numbers by type"
                + (
                    ": the update keeps that type, so a step smaller than one is cut to nothing."
                    if kept
                    else "."
                ),
                "Make the parameters float arrays, for example with np.zeros(shape).",
                "integer-parameter",
            )
        )
    grads = guard.grad(params, guard.problem.train)
    for name, value in grads.items():
        if value.dtype.kind in "iub":
            findings.append(_integer_gradient(guard, params, name, value))
    return findings


def _stay_integer(guard, params, names):
    if guard.problem.update is None:
        return []
    half = {name: np.full(value.shape, 0.4) for name, value in params.items()}
    after = guard.update(params, half, guard.problem.learning_rate or 1.0)
    guard.reset_update()
    return [name for name in names if after[name].dtype.kind in "iub"]


def _integer_gradient(guard, params, name, value):
    """Judge an integer gradient by centred differences of up to ten of its entries."""
    worst = 0.0
    for index in list(np.ndindex(value.shape))[:10]:
        up, down = guard.params(), guard.params()
        step = 1e-4 * max(1.0, abs(float(params[name][index])))
        up[name] = up[name].astype(float)
        down[name] = down[name].astype(float)
        up[name][index] += step
        down[name][index] -= step
        slope = (guard.loss(up, guard.problem.train) - guard.loss(down, guard.problem.train)) / (2.0 * step)
        worst = max(worst, abs(slope - float(value[index])) / max(abs(slope), 1e-8))
    cut = worst > 1e-2
    return Finding(
        "setup",
        "fault" if cut else "suspect",
        (name,),
        {"type": str(value.dtype), "largest relative error": worst},
        f"The gradient of {name} comes as {value.dtype}"
        + (
            f", and is off by up to {worst:.0%}: its fractions were cut away."
            if cut
            else "; so far its values are right."
        ),
        f"Make the buffer of {name}'s gradient with np.zeros({name}.shape): zeros_like takes over "
        "the type of an integer array.",
        "integer-gradient",
    )
