"""Set the gradient check beside those of scipy, PyTorch and JAX, and print a table.

All get the same right programs (exact kinks, single precision, extreme scales) and the same planted
faults (one wrong entry among all of them), from 100 to 1,000,000 parameters. Checkers that look at each
coordinate are left out where one program would take them more than a second or two.
"""

import statistics
import sys
import time

import numpy as np

from tests.bench.gradient_bench_programs import network, programs
from tests.bench.gradient_bench_tools import tools

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
MOST_SECONDS = 1.5  # of one program at one size, for checkers whose cost grows with the size


def seconds_of_loss(size):
    """Return the time of one evaluation of the loss."""
    program = network("", size)
    program.loss(program.params)
    begin = time.perf_counter()
    for _ in range(3):
        program.loss(program.params)
    return (time.perf_counter() - begin) / 3


def chosen(size):
    """Return the programs to run; at a million parameters, one of each sort."""
    found = programs(size)
    few = ("right", "right, float32, kinks", "one wrong entry", "bias 10 % off")
    return found if size < 1_000_000 else [p for p in found if p.name in few]


def measure(check, size):
    """Run one checker on all programs of a size.

    Returns
    -------
    dict
        Number of faults found, of false alarms and of each sort of program, names of what went amiss, and
        medians of evaluations and seconds on the right programs.
    """
    row = {"found": 0, "faults": 0, "alarms": 0, "right": 0, "amiss": []}
    evaluations, seconds = [], []
    for program in chosen(size):
        np.random.seed(0)  # noqa: NPY002 (scipy and torch draw from global generators)
        begin = time.perf_counter()
        called_wrong = check(program)
        took = time.perf_counter() - begin
        row["faults" if program.wrong else "right"] += 1
        row["found" if program.wrong else "alarms"] += called_wrong
        if called_wrong != program.wrong:
            row["amiss"].append(program.name)
        if not program.wrong:
            evaluations.append(program.evaluations)
            seconds.append(took)
    return row | {"evaluations": statistics.median(evaluations), "seconds": statistics.median(seconds)}


def table(sizes=SIZES):
    """Yield the lines of the table."""
    yield (
        f"{'checker':26}{'parameters':>11}{'found':>8}{'false alarms':>14}{'evaluations':>13}{'seconds':>10}"
        "  amiss"
    )
    for name, (check, per_parameter) in tools().items():
        for size in sizes:
            if per_parameter * size * seconds_of_loss(size) > MOST_SECONDS:
                yield f"{name:26}{size:11,}   not run: it takes {per_parameter * size:,.0f} evaluations"
                continue
            row = measure(check, size)
            found = f"{row['found']}/{row['faults']}"
            alarms = f"{row['alarms']}/{row['right']}"
            yield (
                f"{name:26}{size:11,}{found:>8}{alarms:>14}"
                f"{row['evaluations']:13,.0f}{row['seconds']:10.3f}  " + "; ".join(row["amiss"])
            )


def main():
    """Print the table line by line."""
    for line in table():
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
