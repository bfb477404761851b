"""Other people's gradient checkers, each given a program in the way that its manual asks for.

A checker takes a `BenchProgram` and says whether it finds the gradient wrong. Where a manual leaves a
choice for single precision, steps and tolerances are set to what suits it; a checker that returns a
number and no verdict gets the usual bounds on the relative error, 1e-4 in double and 1e-2 in single
precision.
"""

import importlib.util
import warnings

import numpy as np

from mlbug import gradient_verdict


def check_mlbug(program):
    """Run `mlbug.gradient_verdict` on all blocks."""
    data = (np.zeros((1, 1)),)
    fields = {
        "params": program.params, "loss": lambda p, batch: program.counted_loss(p),
        "grad": lambda p, batch: program.grad(p), "train": data,
    }  # fmt: skip
    verdict = gradient_verdict(fields, name_causes=False)
    return any(result.grade == "fault" for result in verdict.blocks.values())


def _single(program):
    return program.params["W"].dtype == np.float32


def _unpack(program, flat):
    parts, at = {}, 0
    for name, value in program.params.items():
        parts[name] = flat[at : at + value.size].reshape(value.shape).astype(value.dtype)
        at += value.size
    return parts


def _scipy(program, **keywords):
    from scipy.optimize import check_grad

    x = np.concatenate([np.ravel(v) for v in program.params.values()]).astype(float)

    def loss(flat):
        return float(program.counted_loss(_unpack(program, flat)))

    def grad(flat):
        g = program.grad(_unpack(program, flat))
        return np.concatenate([np.ravel(v) for v in g.values()]).astype(float)

    step = float(np.sqrt(np.finfo(program.params["W"].dtype).eps))
    error = check_grad(loss, grad, x, epsilon=step, **keywords)
    return bool(error > (1e-2 if _single(program) else 1e-4) * np.linalg.norm(grad(x)))


def check_scipy(program):
    """Run `scipy.optimize.check_grad` over all coordinates."""
    return _scipy(program)


def check_scipy_random(program):
    """Run `scipy.optimize.check_grad` along one random direction."""
    return _scipy(program, direction="random", seed=0)


def _torch(program, fast):
    import torch

    names = list(program.params)

    class Loss(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *tensors):
            ctx.arrays = {n: t.detach().numpy() for n, t in zip(names, tensors, strict=True)}
            return torch.as_tensor(np.asarray(program.counted_loss(ctx.arrays)))

        @staticmethod
        def backward(ctx, slope):
            g = program.grad(ctx.arrays)
            return tuple(slope * torch.as_tensor(g[n]) for n in names)

    # a failure in fast mode makes it run the slow mode too, for the sake of its message alone
    torch.autograd.gradcheck.__globals__["_run_slow_mode_and_get_error"] = lambda *args, **keywords: ""
    tensors = [torch.tensor(v, requires_grad=True) for v in program.params.values()]
    choice = {"eps": 1e-2, "atol": 1e-3, "rtol": 1e-2} if _single(program) else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return not torch.autograd.gradcheck(
            Loss.apply, tensors, fast_mode=fast, raise_exception=False, **choice
        )


def check_torch_slow(program):
    """Run `torch.autograd.gradcheck`."""
    return _torch(program, fast=False)


def check_torch_fast(program):
    """Run `torch.autograd.gradcheck` with ``fast_mode=True``."""
    return _torch(program, fast=True)


def check_jax(program):
    """Run `jax.test_util.check_grads`, reverse mode, first order, with its own steps and tolerances."""
    import jax
    from jax.test_util import check_grads

    jax.config.update("jax_enable_x64", True)
    kind = program.params["W"].dtype
    shapes = {n: jax.ShapeDtypeStruct(v.shape, v.dtype) for n, v in program.params.items()}

    def host_loss(p):
        return np.asarray(program.counted_loss({n: np.asarray(v) for n, v in p.items()}), dtype=kind)

    def host_grad(p):
        return program.grad({n: np.asarray(v) for n, v in p.items()})

    @jax.custom_vjp
    def loss(p):
        return jax.pure_callback(host_loss, jax.ShapeDtypeStruct((), kind), p)

    def forward(p):
        return loss(p), p

    def backward(p, slope):
        g = jax.pure_callback(host_grad, shapes, p)
        return ({n: slope * v for n, v in g.items()},)

    loss.defvjp(forward, backward)
    try:
        check_grads(loss, (program.params,), order=1, modes=["rev"])
    except AssertionError:
        return True
    return False


def tools():
    """Return the checkers that can run here, by name: the function, and evaluations a parameter."""
    known = {
        "mlbug": ("numpy", check_mlbug, 0.0),
        "scipy check_grad": ("scipy", check_scipy, 1.0),
        "scipy check_grad, random": ("scipy", check_scipy_random, 0.0),
        "torch gradcheck": ("torch", check_torch_slow, 2.0),
        "torch gradcheck, fast": ("torch", check_torch_fast, 0.0),
        "jax check_grads": ("jax", check_jax, 0.0),
    }
    return {name: rest for name, (module, *rest) in known.items() if importlib.util.find_spec(module)}
