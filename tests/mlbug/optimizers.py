"""Update rules for tests: correct ones, each as its paper or library has it, and wrong ones."""

import numpy as np


def rule(step):
    """Return a factory of update functions from ``step(w, g, lr, state, t)``, which gives the new w."""

    def factory():
        memory, count = {}, [0]

        def update(params, grads, lr):
            count[0] += 1
            return {
                name: step(value, grads[name], lr, memory.setdefault(name, {}), count[0])
                for name, value in params.items()
            }

        return update

    return factory


def kept(state, key, like, decay, add):
    """Return ``decay * state[key] + add`` and keep it."""
    state[key] = decay * state.get(key, np.zeros_like(like)) + add
    return state[key]


def moments(state, g, t, b1=0.9, b2=0.999, first=True, second=True):
    """Return Adam's two moments, corrected where asked."""
    m, v = kept(state, "m", g, b1, (1 - b1) * g), kept(state, "v", g, b2, (1 - b2) * g * g)
    return (m / (1 - b1**t) if first else m), (v / (1 - b2**t) if second else v)


def adam(w, g, lr, s, t, **options):
    """Take one step of the rule "adam"."""
    m, v = moments(s, g, t, **options)
    return w - lr * m / (np.sqrt(v) + 1e-8)


def adam_late_epsilon(w, g, lr, s, t):
    """Take one step of the rule "adam late epsilon"."""
    m, v = moments(s, g, t, first=False, second=False)
    return w - lr * np.sqrt(1 - 0.999**t) / (1 - 0.9**t) * m / (np.sqrt(v) + 1e-7)


def momentum_inside(w, g, lr, s, t, mu=0.9):
    """Take one step of the rule "momentum inside"."""
    return w + kept(s, "v", g, mu, -lr * g)


def momentum_outside(w, g, lr, s, t, mu=0.9):
    """Take one step of the rule "momentum outside"."""
    return w - lr * kept(s, "v", g, mu, g)


def nesterov(w, g, lr, s, t):
    """Take one step of the rule "nesterov"."""
    return w - lr * (g + 0.9 * kept(s, "v", g, 0.9, g))


def nesterov_inside(w, g, lr, s, t):
    """Take one step of the rule "nesterov inside"."""
    old = s.get("v", np.zeros_like(g))
    return w - 0.9 * old + 1.9 * kept(s, "v", g, 0.9, -lr * g)


def decoupled_momentum(w, g, lr, s, t):
    """Take one step of the rule "decoupled momentum"."""
    return w - lr * kept(s, "v", g, 0.9, g) - lr * 0.01 * w


def rmsprop(w, g, lr, s, t):
    """Take one step of the rule "rmsprop"."""
    return w - lr * g / (np.sqrt(kept(s, "v", g, 0.9, 0.1 * g * g)) + 1e-8)


def rmsprop_inner(w, g, lr, s, t):
    """Take one step of the rule "rmsprop inner"."""
    return w - lr * g / np.sqrt(kept(s, "v", g, 0.9, 0.1 * g * g) + 1e-8)


def adagrad(w, g, lr, s, t):
    """Take one step of the rule "adagrad"."""
    return w - lr * g / (np.sqrt(kept(s, "v", g, 1.0, g * g)) + 1e-8)


def amsgrad(w, g, lr, s, t):
    """Take one step of the rule "amsgrad"."""
    m, _ = moments(s, g, t)
    s["top"] = np.maximum(s.get("top", 0.0), s["v"])
    return w - lr * m / (np.sqrt(s["top"] / (1 - 0.999**t)) + 1e-8)


def lion(w, g, lr, s, t):
    """Take one step of the rule "lion"."""
    old = s.get("v", np.zeros_like(g))
    kept(s, "v", g, 0.99, 0.01 * g)
    return w - lr * np.sign(0.9 * old + 0.1 * g)


def polyak(w, g, lr, s, t):
    """Return a moving average of the iterates."""
    s["fast"] = s.get("fast", w.copy()) - lr * g
    return 0.9 * w + 0.1 * s["fast"]


def in_place(w, g, lr, s, t):
    """Take one step of the rule "in place"."""
    w -= lr * g
    return w


def clipped_by_all(params, grads, lr):
    """Take one step of the rule "clipped by all"."""
    norm = np.sqrt(sum(np.sum(g * g) for g in grads.values()))
    return {name: value - lr * min(1.0, 2.0 / norm) * grads[name] for name, value in params.items()}


# name: (factory, name of the law expected for the parameter W)
CORRECT = {
    "plain": (rule(lambda w, g, lr, s, t: w - lr * g), "gradient descent"),
    "in place": (rule(in_place), "gradient descent"),
    "decay": (rule(lambda w, g, lr, s, t: w - lr * (g + 0.01 * w)), "gradient descent with weight decay"),
    "momentum inside": (rule(momentum_inside), "momentum (rate inside the velocity)"),
    "momentum outside": (rule(momentum_outside), "momentum"),
    "mean": (rule(lambda w, g, lr, s, t: w - lr * kept(s, "v", g, 0.8, 0.2 * g)), "momentum"),
    "nesterov": (rule(nesterov), "Nesterov momentum"),
    "nesterov inside": (rule(nesterov_inside), "Nesterov momentum (rate inside the velocity)"),
    "momentum decay": (
        rule(lambda w, g, lr, s, t: momentum_outside(w, g + 0.01 * w, lr, s, t)),
        "momentum with weight decay in the gradient",
    ),
    "momentum decoupled": (rule(decoupled_momentum), "momentum with decoupled weight decay"),
    "adam": (rule(adam), "Adam"),
    "adam late epsilon": (rule(adam_late_epsilon), "Adam (epsilon before the correction)"),
    "adamw": (
        rule(lambda w, g, lr, s, t: adam(w, g, lr, s, t) - lr * 0.01 * w),
        "Adam with decoupled weight decay",
    ),
    "adam l2": (
        rule(lambda w, g, lr, s, t: adam(w, g + 0.01 * w, lr, s, t)),
        "Adam with weight decay in the gradient",
    ),
    "amsgrad": (rule(amsgrad), "AMSGrad"),
    "rmsprop": (rule(rmsprop), "RMSprop"),
    "rmsprop inner": (rule(rmsprop_inner), "RMSprop (epsilon under the root)"),
    "adagrad": (rule(adagrad), "Adagrad"),
    "sign": (rule(lambda w, g, lr, s, t: w - lr * np.sign(g)), "sign descent"),
    "lion": (rule(lion), "Lion"),
    "clip value": (
        rule(lambda w, g, lr, s, t: w - lr * np.clip(g, -0.2, 0.2)),
        "gradient descent, gradient clipped by value",
    ),
    "clip norm": (
        rule(lambda w, g, lr, s, t: w - lr * g * min(1.0, 1.0 / np.linalg.norm(g))),
        "gradient descent, gradient clipped by the norm of its block",
    ),
    "clip all": (lambda: clipped_by_all, "gradient descent, gradient clipped by the norm of all gradients"),
    "schedule": (rule(lambda w, g, lr, s, t: w - lr / (1 + 0.1 * t) * g), "gradient descent"),
    "warm-up": (rule(lambda w, g, lr, s, t: adam(w, g, lr * min(1.0, t / 10), s, t)), "Adam"),
    "by parameter": (
        rule(lambda w, g, lr, s, t: w - (2.0 if w.ndim < 2 else 1.0) * lr * g),
        "gradient descent",
    ),
    "by element": (
        rule(lambda w, g, lr, s, t: w - np.linspace(0.5, 2.0, w.size).reshape(w.shape) * lr * g),
        "gradient descent with a rate for each element",
    ),
    "average": (rule(polyak), "momentum (rate inside the velocity)"),
}


def stuck_counter(w, g, lr, s, t):
    """Take one step of the rule "stuck counter"."""
    return adam(w, g, lr, s, 1)


def one_array(w, g, lr, s, t):
    """Take one step of the rule "one array"."""
    v = s.setdefault("v", np.zeros_like(g))
    v *= 0.9
    v += 0.1 * g
    v *= 0.999
    v += 0.001 * g * g
    return w - lr * v / (1 - 0.9**t) / (np.sqrt(np.abs(v) / (1 - 0.999**t)) + 1e-8)


def no_root(w, g, lr, s, t):
    """Take one step of the rule "no root"."""
    m, v = moments(s, g, t)
    return w - lr * m / (v + 1e-8)


def late(w, g, lr, s, t):
    """Take one step of the rule "late"."""
    old = s.get("old", np.zeros_like(g))
    s["old"] = g.copy()
    return w - lr * old


def first_only(w, g, lr, s, t):
    """Take one step of the rule "first only"."""
    return w - lr * s.setdefault("first", g.copy())


def velocity_from_parameter(w, g, lr, s, t):
    """Take one step of the rule "velocity from parameter"."""
    s["v"] = 0.9 * s.get("v", w.copy()) - lr * g
    return w + s["v"]


def momentum_run_twice(w, g, lr, s, t):
    """Take one step of the rule "momentum run twice"."""
    return momentum_inside(momentum_inside(w, g, lr, s, t), g, lr, s, t)


# name: (step for the blocks at fault, kind expected); the other blocks follow plain descent
WRONG = {
    "fixed fall": (lambda w, g, lr, s, t: w - 0.002, "ignores-gradient"),
    "falls by the rate": (lambda w, g, lr, s, t: w - lr, "ignores-gradient"),
    "own value": (lambda w, g, lr, s, t: w - lr * w, "parameter"),
    "own value in the velocity": (lambda w, g, lr, s, t: momentum_inside(w, w, lr, s, t), "parameter"),
    "uphill": (lambda w, g, lr, s, t: w + lr * g, "sign"),
    "uphill Adam": (lambda w, g, lr, s, t: adam(w, g, -lr, s, t), "sign"),
    "two steps": (momentum_run_twice, "twice"),
    "adding up": (lambda w, g, lr, s, t: w - lr * kept(s, "sum", g, 1.0, g), "accumulates"),
    "adding up into Adam": (
        lambda w, g, lr, s, t: adam(w, kept(s, "sum", g, 1.0, g), lr, s.setdefault("adam", {}), t),
        "accumulates",
    ),
    "late": (late, "last-batch"),
    "first": (first_only, "first-batch"),
    "frozen": (lambda w, g, lr, s, t: w.copy(), "never-moves"),
    "cut": (lambda w, g, lr, s, t: np.trunc(10 * w - 10 * lr * g), "integer"),
    "integers": (lambda w, g, lr, s, t: (10 * w - lr * g).astype(int), "integer"),
    "absolute": (lambda w, g, lr, s, t: w - lr * np.abs(g), "absolute"),
    "mean": (lambda w, g, lr, s, t: w - lr * g.mean(), "averaged"),
    "reversed": (lambda w, g, lr, s, t: w - lr * g[::-1], "reordered"),
    "growing": (lambda w, g, lr, s, t: w - lr * (g - 0.01 * w), "decay-sign"),
    "not a number": (lambda w, g, lr, s, t: w - lr * g / np.zeros_like(g), "non-finite"),
    "half corrected": (lambda w, g, lr, s, t: adam(w, g, lr, s, t, second=False), "bias-correction"),
    "stuck counter": (stuck_counter, "step-counter"),
    "no root": (no_root, "no-root"),
    "one array": (one_array, "aliased"),
    "velocity from the parameter": (velocity_from_parameter, "velocity-start"),
}
