"""Measure the checks from a shell: ``python -m mlbug.faults --cache FOLDER --out FILE.json``."""

import argparse
import json
import sys
from pathlib import Path

from .bench import operating_characteristics


def main(arguments=None):
    """Run the measurement and write its tables as JSON.

    Parameters
    ----------
    arguments : list of str, optional
        Command line; that of the process by default.
    """
    parser = argparse.ArgumentParser(prog="python -m mlbug.faults", description=__doc__)
    parser.add_argument("--healthy", type=int, default=200, help="programs without a fault (default 200)")
    parser.add_argument("--faulty", type=int, default=200, help="programs with a fault (default 200)")
    parser.add_argument("--seed", type=int, default=0, help="seed of all programs (default 0)")
    parser.add_argument("--cache", type=Path, help="folder of outcomes, to go on from where a run stopped")
    parser.add_argument("--out", type=Path, help="file for the tables (default: standard output)")
    options = parser.parse_args(arguments)

    def progress(done, total):
        if sys.stderr.isatty():
            print(f"\r{done} of {total} programs", end="" if done < total else "\n", file=sys.stderr)

    tables = operating_characteristics(options.healthy, options.faulty, options.seed, options.cache, progress)
    text = json.dumps(tables, indent=1) + "\n"
    if options.out is None:
        sys.stdout.write(text)
    else:
        options.out.write_text(text)


if __name__ == "__main__":
    main()
