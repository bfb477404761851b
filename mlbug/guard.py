"""Call the user's functions without trusting them."""

import contextlib
import copy
import io
import traceback
import warnings

import numpy as np

from .closure_state import restore_state, save_state
from .problem_fields import accepts, kind_of
from .time_limit import TimeUp, time_limit


class UserFunctionError(RuntimeError):
    """A function of the user's raised, returned the wrong thing or ran too long.

    Attributes
    ----------
    function : str
        Name of the function at fault, a field of `Problem`.
    where : tuple of str
        Names of the parameters, layers or arguments concerned; may be empty.
    """

    def __init__(self, message, function="", where=()):
        super().__init__(message)
        self.function = function
        self.where = tuple(where)


class Guard:
    """The functions of a `Problem`, called with copies and with their results checked.

    Whatever a function prints is kept in `printed`; floating-point warnings are silenced, since the
    checks judge the results themselves. What one check has computed for others to use stands in `memo`.

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
            self._wrong("loss", f"must return a real number, but its type is {value.dtype}")
        return float(value.reshape(()))

    def complex_loss(self, params, batch):
        """Return the loss of complex parameters as it comes, as a complex number."""
        value = self._loss(params, batch)
        if value.dtype.kind not in "fiuc":
            self._wrong("loss", f"must return a number, but its type is {value.dtype}")
        return complex(value.reshape(()))

    def _loss(self, params, batch):
        value = np.asarray(self._call("loss", _copies(params), _copy_batch(batch), **self._off("loss")))
        if value.size != 1 or value.dtype == object:
            came = (
                "None"
                if value.dtype == object and value.size == 1 and value.reshape(())[()] is None
                else kind_of(value)
            )
            self._wrong(
                "loss", f"must return one number, but {came} came: average over the examples and return it"
            )
        if not self.regularized and isinstance(self.problem.regularizer, dict):
            penalty = np.asarray(self._call("regularizer['loss']", _copies(params)))
            if penalty.size != 1 or penalty.dtype.kind not in "fiuc":
                self._wrong("regularizer['loss']", f"must return one number, but {kind_of(penalty)} came")
            value = value.reshape(()) - penalty.reshape(())
        return value

    def grad(self, params, batch):
        """Return the gradient as arrays by the names, and of the shapes, of the parameters.

        Raises
        ------
        UserFunctionError
            If the function raises, runs too long, or a name, shape or type is not that of `params`.
        """
        result = self._call("grad", _copies(params), _copy_batch(batch), **self._off("grad"))
        grads = self._named("grad", result, params)
        if not self.regularized and isinstance(self.problem.regularizer, dict):
            part = self._call("regularizer['grad']", _copies(params))
            for name, value in self._named("regularizer['grad']", part, params, partial=True).items():
                grads[name] = grads[name] - value
        return grads

    def update(self, params, grads, lr):
        """Return the parameters after one call of the rule under test."""
        return self._named("update", self._call("update", _copies(params), _copies(grads), lr), params)

    def reset_update(self):
        """Bring numbers and arrays that `update` keeps in its closure back to how they first were."""
        restore_state(self._update_state)

    def update_shared(self, grads, lr):
        """Return the result of one update whose parameters share memory as the user's arrays do."""
        params = self.params()
        for first, second in self.problem.shared:
            if params[first].shape == params[second].shape:
                params[second] = params[first]
        return self._named("update", self._call("update", params, _copies(grads), lr), params)

    def writes(self, name, params, data):
        """Call a function and return what of its arguments it changed, by name.

        Parameters
        ----------
        name : {"loss", "grad", "scores", "activations"}
            The function.
        params : dict of str to ndarray
            Parameters.
        data : tuple of ndarray or ndarray
            A batch, or inputs.

        Returns
        -------
        list of str
            Names of parameters, ``"inputs"`` and ``"targets"``.
        """
        given, arrays = _copies(params), _copy_inputs(data)
        self._call(name, given, arrays)
        before, after = (x if isinstance(x, tuple) else (x,) for x in (data, arrays))
        places = [key for key, value in params.items() if key not in given or not _same(given[key], value)]
        places += [key for key in given if key not in params]
        last = len(after) - 1 if name in ("loss", "grad") and len(after) > 1 else None
        for i, (a, b) in enumerate(zip(before, after, strict=True)):
            place = "targets" if i == last else "inputs"
            if not _same(a, b) and place not in places:
                places.append(place)
        return places

    def scores(self, params, inputs):
        """Return the scores as a float array whose first axis is the example.

        Raises
        ------
        UserFunctionError
            If the function raises, runs too long, or does not return one row for each example.
        """
        value = np.array(self._call("scores", _copies(params), _copy_inputs(inputs)))
        return self._rows("scores", value, inputs)

    def activations(self, params, inputs):
        """Return the pre-activations as float arrays by layer name, first axis the example."""
        layers = self._call("activations", _copies(params), _copy_inputs(inputs))
        if not isinstance(layers, dict):
            self._wrong("activations", f"must return a dict of arrays by layer, but {kind_of(layers)} came")
        return {
            str(name): self._rows("activations", np.array(value), inputs, name)
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
                f"{name} ran longer than {self.time_limit:g} s and was stopped: give it less data, or a longer time limit",
                name,
            ) from None
        except (Exception, SystemExit) as error:
            raise UserFunctionError(_raised(name, error), name) from error

    def _wrong(self, function, text, where=()):
        raise UserFunctionError(f"{function} {text}", function, where)

    def _named(self, function, result, params, partial=False):
        """Check arrays by name against the parameters and return copies of them."""
        if not hasattr(result, "items"):
            self._wrong(
                function, f"must return a dict of arrays by parameter name, but {kind_of(result)} came"
            )
        extra = [str(name) for name in result if name not in params]
        lost = [] if partial else [name for name in params if name not in result]
        if extra or lost:
            self._wrong(
                function,
                f"must return the names {', '.join(params)}, but {', '.join(map(str, result)) or 'none'} came"
                + (f": {', '.join(lost)} is missing" if lost else ""),
                lost or extra,
            )
        return {
            name: self._shaped(function, name, result[name], params[name])
            for name in params
            if name in result
        }

    def _shaped(self, function, name, value, param):
        array = np.array(value)
        if array.dtype.kind not in "fiuc":
            self._wrong(function, f"[{name!r}] must be a real array, but {kind_of(value)} came", [name])
        if array.dtype.kind == "c" and not np.iscomplexobj(param):
            self._wrong(function, f"[{name!r}] must be real, but its type is {array.dtype}", [name])
        if array.size == 1 and param.size == 1:
            return array.reshape(param.shape)
        if array.shape != param.shape:
            self._wrong(
                function,
                f"[{name!r}] must have the parameter's shape {param.shape}, but it has {array.shape}",
                [name],
            )
        return array

    def _rows(self, function, value, inputs, name=None):
        n = len(inputs[0]) if isinstance(inputs, tuple) else len(inputs)
        label = function if name is None else f"{function}[{name!r}]"
        where = () if name is None else (str(name),)
        if value.dtype.kind not in "fiub":
            self._wrong(label, f"must be a real array, but {kind_of(value)} came", where)
        if value.ndim == 0 or len(value) != n:
            self._wrong(
                label,
                f"must have one row for each of the {n} examples, but its shape is {value.shape}",
                where,
            )
        return value if value.dtype.kind == "f" else value.astype(float)


def _same(a, b):
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def _copies(arrays):
    return {name: np.array(value) for name, value in arrays.items()}


def _copy_batch(batch):
    return tuple(np.array(array) for array in batch)


def _copy_inputs(inputs):
    return _copy_batch(inputs) if isinstance(inputs, tuple) else np.array(inputs)


def _raised(name, error):
    """Say what was raised and at which line of the user's code."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if "mlbug" not in f.filename]
    place = f" (line {frames[-1].lineno} of {frames[-1].filename.rsplit('/', 1)[-1]})" if frames else ""
    return f"{name} raised {type(error).__name__}: {error}{place}"
