"""Update rules of the programs that faults are planted into."""

import numpy as np


def _rule(step):
    """Return a factory of update rules from ``step(value, gradient, rate, memory, t)`` for one block."""

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


def plain(w, g, lr, m, t):
    """Gradient descent."""
    return w - lr * g


def momentum(w, g, lr, m, t):
    """Heavy ball, the rate inside the velocity."""
    m["v"] = 0.9 * m.get("v", 0.0) - lr * g
    return w + m["v"]


def adam(w, g, lr, m, t, second=True):
    """Adam (Kingma and Ba, 2015); `second`: whether the second moment is corrected."""
    m["m"] = 0.9 * m.get("m", 0.0) + 0.1 * g
    m["v"] = 0.999 * m.get("v", 0.0) + 0.001 * g * g
    lower = m["v"] / (1.0 - 0.999**t) if second else m["v"]
    return w - lr * m["m"] / (1.0 - 0.9**t) / (np.sqrt(lower) + 1e-8)


def adamw(w, g, lr, m, t):
    """Adam with decoupled weight decay."""
    return adam(w, g, lr, m, t) - lr * 1e-3 * w


def rmsprop(w, g, lr, m, t):
    """RMSprop."""
    m["v"] = 0.9 * m.get("v", 0.0) + 0.1 * g * g
    return w - lr * g / (np.sqrt(m["v"]) + 1e-8)


def adagrad(w, g, lr, m, t):
    """Adagrad."""
    m["v"] = m.get("v", 0.0) + g * g
    return w - lr * g / (np.sqrt(m["v"]) + 1e-8)


RULES = {
    "plain": _rule(plain),
    "momentum": _rule(momentum),
    "adam": _rule(adam),
    "adamw": _rule(adamw),
    "rmsprop": _rule(rmsprop),
    "adagrad": _rule(adagrad),
}


def patched(rule, names, step):
    """Return a rule that follows `rule`, but moves the blocks in `names` by `step`."""
    right, wrong = RULES[rule](), _rule(step)()

    def update(params, grads, lr):
        new = right(params, grads, lr)
        return new | {n: v for n, v in wrong(params, grads, lr).items() if n in names}

    return update


def wrapped(rule, change):
    """Return a rule that follows `rule` on gradients that ``change(params, grads, memory)`` returns."""
    right, memory = RULES[rule](), {}

    def update(params, grads, lr):
        return right(params, change(params, grads, memory), lr)

    return update
