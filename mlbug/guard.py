"""Call the user's functions without trusting them."""

import contextlib
import copy
import io
import warnings

import numpy as np

from .closure_state import restore_state, save_state
from .copies import copies, copy_batch, copy_inputs, same
from .problem_fields import accepts, kind_of
from .returns import UserFunctionError, as_array, named_arrays, raised, rows, wrong
from .time_limit import TimeUp, time_limit


class Guard:
    """The functions of a `Problem`, called with copies and with their results checked.

    What a function prints is kept in `printed`, what one check computes for others in `memo`.

    Parameters
    ----------
    problem : Problem
        The program under test.
    seed : int, optional
        Seed of all random choices that a check makes.
    time_limit : float, optional
        Seconds that one call may take.
    """

    def __init__(self, problem, seed=0, time_limit=10.0):
        self.problem = problem
        self.seed = seed
        self.time_limit = time_limit
        self.printed = io.StringIO()
        self.regularized = True
        self.memo = {}
        self._update_state = save_state(problem.update)

    def without_regularizer(self):
        """Return a guard of the same program with its regularizer switched off."""
        other = copy.copy(self)
        other.regularized, other.memo = False, {}
        return other

    def params(self):
        """Return a fresh copy of the initial parameters, in their own types."""
        return {name: value.copy() for name, value in self.problem.params.items()}

    def loss(self, params, batch):
        """Return the loss as a float; it may be NaN or infinite.

        Raises
        ------
        UserFunctionError
            If the function raises, runs too long or returns anything but one real number.
        """
        value = self._loss(params, batch)
        if value.dtype.kind not in "fiu":
            wrong("loss", f"must return a real number, but its type is {value.dtype}")
        return float(value.reshape(()))

    def complex_loss(self, params, batch):
        """Return the loss of complex parameters as it comes, as a complex number."""
        value = self._loss(params, batch)
        if value.dtype.kind not in "fiuc":
            wrong("loss", f"must return a number, but its type is {value.dtype}")
        return complex(value.reshape(()))

    def _loss(self, params, batch):
        value = as_array("loss", self._call("loss", copies(params), copy_batch(batch), **self._off("loss")))
        if value.size != 1 or value.dtype == object:
            came = (
                "None"
                if value.dtype == object and value.size == 1 and value.reshape(())[()] is None
                else kind_of(value)
            )
            wrong("loss", f"must return one number, but {came} came: average over the examples and return it")
        if not self.regularized and isinstance(self.problem.regularizer, dict):
            penalty = as_array("regularizer['loss']", self._call("regularizer['loss']", copies(params)))
            if penalty.size != 1 or penalty.dtype.kind not in "fiuc":
                wrong("regularizer['loss']", f"must return one number, but {kind_of(penalty)} came")
            value = value.reshape(()) - penalty.reshape(())
        return value

    def grad(self, params, batch):
        """Return the gradient as arrays by the names, and of the shapes, of the parameters.

        Raises
        ------
        UserFunctionError
            If the function raises, runs too long, or a name, shape or type is not that of `params`.
        """
        result = self._call("grad", copies(params), copy_batch(batch), **self._off("grad"))
        grads = named_arrays("grad", result, params)
        if not self.regularized and isinstance(self.problem.regularizer, dict):
            part = self._call("regularizer['grad']", copies(params))
            for name, value in named_arrays("regularizer['grad']", part, params, partial=True).items():
                grads[name] = grads[name] - value
        return grads

    def update(self, params, grads, lr):
        """Return the parameters after one call of the rule under test."""
        return named_arrays("update", self._call("update", copies(params), copies(grads), lr), params)

    def reset_update(self):
        """Bring numbers and arrays that `update` keeps in its closure back to how they first were."""
        restore_state(self._update_state)

    def update_shared(self, grads, lr):
        """Return the result of one update whose parameters share memory as the user's arrays do."""
        params = self.params()
        for first, second in self.problem.shared:
            if params[first].shape == params[second].shape:
                params[second] = params[first]
        return named_arrays("update", self._call("update", params, copies(grads), lr), params)

    def writes(self, name, params, data):
        """Call a function and return which parameters, ``"inputs"`` or ``"targets"`` it changed."""
        given, arrays = copies(params), copy_inputs(data)
        self._call(name, given, arrays)
        before, after = (x if isinstance(x, tuple) else (x,) for x in (data, arrays))
        places = [key for key, value in params.items() if key not in given or not same(given[key], value)]
        places += [key for key in given if key not in params]
        last = len(after) - 1 if name in ("loss", "grad") and len(after) > 1 else None
        for i, (a, b) in enumerate(zip(before, after, strict=True)):
            place = "targets" if i == last else "inputs"
            if not same(a, b) and place not in places:
                places.append(place)
        return places

    def scores(self, params, inputs):
        """Return the scores as a float array whose first axis is the example.

        Raises
        ------
        UserFunctionError
            If the function raises, runs too long, or does not return one row for each example.
        """
        value = as_array("scores", self._call("scores", copies(params), copy_inputs(inputs)))
        return rows("scores", value, inputs)

    def activations(self, params, inputs):
        """Return the pre-activations as float arrays by layer name, first axis the example."""
        layers = self._call("activations", copies(params), copy_inputs(inputs))
        if not isinstance(layers, dict):
            wrong("activations", f"must return a dict of arrays by layer, but {kind_of(layers)} came")
        return {
            str(name): rows("activations", as_array("activations", value, name), inputs, name)
            for name, value in layers.items()
        }

    @staticmethod
    def inputs_of(batch):
        """Return what `scores` and `activations` take: one array, or a tuple where there are several."""
        return batch[0] if len(batch) <= 2 else tuple(batch[:-1])

    @staticmethod
    def targets_of(batch):
        """Return the last array of the batch."""
        return batch[-1]

    @staticmethod
    def take(batch, index):
        """Return the batch of the examples at `index`, an integer array (n,) or a slice."""
        return tuple(array[index] for array in batch)

    def _off(self, function):
        """Return the keyword that switches the regularizer off in `function`, where it has one."""
        keyword = self.problem.regularizer
        if self.regularized or not isinstance(keyword, str):
            return {}
        return (
            {keyword: 1.0 if "keep" in keyword else 0.0}
            if accepts(getattr(self.problem, function), keyword)
            else {}
        )

    def _call(self, name, *args, **keywords):
        part = name.removesuffix("']").removeprefix("regularizer['")
        function = self.problem.regularizer[part] if part != name else getattr(self.problem, name)
        try:
            with (
                contextlib.redirect_stdout(self.printed),
                warnings.catch_warnings(),
                np.errstate(all="ignore"),
                time_limit(self.time_limit),
            ):
                warnings.simplefilter("ignore")
                return function(*args, **keywords)
        except TimeUp:
            raise UserFunctionError(
                f"{name} ran longer than {self.time_limit:g} s and was stopped: give it less data, "
                "or a longer time limit",
                name,
            ) from None
        except (Exception, SystemExit) as error:
            raise UserFunctionError(raised(name, error), name) from error
