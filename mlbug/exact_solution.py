"""Two linear equations solved by explicit formulas, and how well the answer satisfies them.

Plain floats and + - * / alone: every computer, and the browser, gets the same bits.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

EPS = 2.0**-52


@dataclass(frozen=True)
class Pair:
    """Two equations, a x + b y = e and c x + d y = f.

    Parameters
    ----------
    a, b, c, d : float
        Coefficients.
    e, f : float
        Right-hand sides.
    """

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    @property
    def norm(self):
        """Largest sum of the sizes of a row's coefficients."""
        return max(abs(self.a) + abs(self.b), abs(self.c) + abs(self.d))

    @property
    def condition_number(self):
        """Norm of the matrix times the norm of its inverse; infinite for a determinant of 0."""
        determinant = abs(self.a * self.d - self.b * self.c)
        if determinant == 0.0:
            return math.inf
        inverse = max(abs(self.d) + abs(self.b), abs(self.c) + abs(self.a))
        return self.norm * (inverse / determinant)

    def by_cramer(self):
        """Return (x, y) by Cramer's rule; both NaN for a determinant of 0."""
        determinant = self.a * self.d - self.b * self.c
        if determinant == 0.0:
            return math.nan, math.nan
        x = (self.e * self.d - self.b * self.f) / determinant
        return x, (self.a * self.f - self.e * self.c) / determinant

    def by_elimination(self):
        """Return (x, y) by elimination that divides by the larger first coefficient; both NaN if singular."""
        top, low = (self.a, self.b, self.e), (self.c, self.d, self.f)
        if abs(low[0]) > abs(top[0]):
            top, low = low, top
        if top[0] == 0.0:
            return math.nan, math.nan
        factor = low[0] / top[0]
        pivot = low[1] - factor * top[1]
        if pivot == 0.0:
            return math.nan, math.nan
        y = (low[2] - factor * top[2]) / pivot
        return (top[2] - top[1] * y) / top[0], y

    def exactly(self):
        """Return (x, y) without rounding as fractions, or None if the equations have not one solution."""
        a, b, c, d, e, f = (Fraction(v) for v in (self.a, self.b, self.c, self.d, self.e, self.f))
        determinant = a * d - b * c
        if determinant == 0:
            return None
        return (e * d - b * f) / determinant, (a * f - e * c) / determinant

    def residual(self, x, y):
        """Return the larger of the two sides' differences, in the units of the right-hand sides."""
        return _largest(self.a * x + self.b * y - self.e, self.c * x + self.d * y - self.f)

    def size(self, x, y):
        """Return norm of the matrix times size of the solution, plus size of the right-hand sides."""
        return self.norm * _largest(x, y) + _largest(self.e, self.f)

    def backward_error(self, x, y):
        """Return the residual over `size`: 1e-16 or so for the best that rounding lets one get.

        References
        ----------
        N. J. Higham, *Accuracy and Stability of Numerical Algorithms*, 2nd ed., theorem 7.1.
        """
        size = self.size(x, y)
        return self.residual(x, y) / size if size != 0.0 else math.nan

    def error(self, x, y):
        """Return the distance from the exact solution, relative to its size; NaN if there is none."""
        exact = self.exactly()
        if exact is None or not math.isfinite(x + y):
            return math.nan
        scale = max(abs(exact[0]), abs(exact[1]))
        off = max(abs(Fraction(x) - exact[0]), abs(Fraction(y) - exact[1]))
        return float(off / scale) if scale else float(off)


def nearly_parallel(coefficient=1.0, gap=0.1, scale=1.0):
    """Return two equations whose lines are parallel for a gap of 0 and cross near (0.3, 0.7).

    Parameters
    ----------
    coefficient : float
        Coefficient of x in the second equation, before scaling.
    gap : float
        By which share the coefficient of y in the second equation exceeds that of a parallel line.
    scale : float
        Factor on both equations.

    Returns
    -------
    Pair
    """
    a, b = 3.0, 2.0
    c, d = coefficient, coefficient * b / a * (1.0 + gap)
    e, f = a * 0.3 + b * 0.7, c * 0.3 + d * 0.7
    return Pair(*(scale * value for value in (a, b, c, d, e, f)))


def _largest(first, second):
    return math.nan if math.isnan(first + second) else max(abs(first), abs(second))
