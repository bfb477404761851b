"""A small static graph: operations are written down first and computed later, as older frameworks did it."""

from dataclasses import dataclass

import numpy as np

OPERATIONS = {
    "matmul": lambda a, b: a @ b,
    "tanh": np.tanh,
    "sigmoid": lambda a: 1.0 / (1.0 + np.exp(-a)),
    "negative_log": lambda a: -np.log(a),
    "mean": np.mean,
    "sum": np.sum,
}


class GraphError(ValueError):
    """An operation failed; `line` is the line of the program at which Python noticed."""

    def __init__(self, message, line):
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Node:
    """One operation or value of the graph, with the line of the program that wrote it down."""

    name: str
    operation: str
    inputs: tuple
    line: int


class Graph:
    """Operations by name, in the order in which they were written down.

    Parameters
    ----------
    eager : bool
        Compute each operation as soon as it is written down, instead of in `run`.
    """

    def __init__(self, eager=False):
        self.eager = eager
        self.nodes = {}
        self.values = {}
        self.watched = 0  # values that `run` has looked at

    def value(self, name, array, line):
        """Write down a given array."""
        self.nodes[name] = Node(name, "value", (), line)
        self.values[name] = np.asarray(array, dtype=float)

    def add(self, name, operation, *inputs, line):
        """Write down an operation of `OPERATIONS` on earlier names; computes it where the graph is eager."""
        self.nodes[name] = Node(name, operation, inputs, line)
        if self.eager:
            self._compute(self.nodes[name], line)

    def run(self, line, watch=False):
        """Compute what is still to be computed, and return the last value.

        Parameters
        ----------
        line : int
            Line of the program that asks for the run; errors that occur here are noticed there.
        watch : bool
            Look at every value as soon as it is there, and stop at the first that is not finite.

        Returns
        -------
        float

        Raises
        ------
        GraphError
            If an operation fails, or a watched value is not finite.
        """
        for node in self.nodes.values():
            if node.name not in self.values:
                self._compute(node, line)
            self.watched += watch
            if watch and not np.isfinite(self.values[node.name]).all():
                raise GraphError(f"{node.name}, of line {node.line}, is not finite", node.line)
        return float(self.values[node.name])

    def _compute(self, node, line):
        try:
            with np.errstate(all="ignore"):
                self.values[node.name] = OPERATIONS[node.operation](*(self.values[i] for i in node.inputs))
        except ValueError:
            shapes = " and ".join(str(self.values[i].shape) for i in node.inputs)
            raise GraphError(f"{node.operation} does not fit shapes {shapes}", line) from None


PROGRAM = (
    "x = value(inputs)",
    "W = value(weights(3, 4))",
    "V = value(weights(4, 1))",
    "h = tanh(matmul(x, W))",
    "s = matmul(h, V)",
    "q = sigmoid(s)",
    "e = negative_log(q)",
    "loss = mean(e)",
    "print(run(loss))",
)
SLIPS = {"shape": (3, "V = value(weights(1, 4))"), "log": (6, "q = tanh(s)"), "sum": (8, "loss = sum(e)")}
RUN_LINE = len(PROGRAM)


@dataclass(frozen=True)
class Outcome:
    """What became of the program.

    Parameters
    ----------
    loss : float
        The printed loss; NaN if the program stopped before, or printed that.
    stopped : int
        Line at which an error stopped the program; 0 if none did.
    message : str
        The error.
    watched : int
        Number of values that were looked at.
    """

    loss: float
    stopped: int
    message: str
    watched: int


def run_program(slip="none", examples=16, eager=False, watch=False):
    """Build and run `PROGRAM`, with one of `SLIPS` or ``"none"``, on seeded inputs.

    Parameters
    ----------
    slip : {"none", "shape", "log", "sum"}
        A weight with its sizes exchanged, a tanh where a sigmoid belongs, a sum where a mean belongs.
    examples : int
        Number of inputs.
    eager : bool
        Compute line by line.
    watch : bool
        Stop at the first value that is not finite.

    Returns
    -------
    Outcome
    """
    rng = np.random.default_rng(0)
    graph = Graph(eager)
    w, v = rng.standard_normal((3, 4)), rng.standard_normal((4, 1))
    try:
        graph.value("x", rng.standard_normal((examples, 3)), 1)
        graph.value("W", w, 2)
        graph.value("V", v.T if slip == "shape" else v, 3)
        graph.add("xW", "matmul", "x", "W", line=4)
        graph.add("h", "tanh", "xW", line=4)
        graph.add("s", "matmul", "h", "V", line=5)
        graph.add("q", "tanh" if slip == "log" else "sigmoid", "s", line=6)
        graph.add("e", "negative_log", "q", line=7)
        graph.add("loss", "sum" if slip == "sum" else "mean", "e", line=8)
        return Outcome(graph.run(RUN_LINE, watch), 0, "", graph.watched)
    except GraphError as error:
        return Outcome(np.nan, error.line, str(error), graph.watched)
