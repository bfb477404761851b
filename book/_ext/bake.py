"""Writes what a demo needs in the browser: its chart, and frames computed ahead.

One classic script a demo, so that it also loads from disk. Frames computed ahead are the first
state, each preset, the state that the bet asks about, and one sweep of each control.
"""

import hashlib
import importlib
import inspect
import json
import shutil
from pathlib import Path

import mlbug
from book._ext import charts, frames
from book._ext.controls import controls_of, first_values

FOLDER = "_demos"
SOURCES = [Path(mlbug.__file__).parent, Path(__file__).parent]
DEMOS = SOURCES[0].parent / "demos"


def load(name):
    """Import a demo by its name."""
    return importlib.import_module(f"demos.{name}")


def sources(demo):
    """Return the files that a demo's frames depend on."""
    return [Path(inspect.getfile(demo)), *_python_files(SOURCES)]


def digest(demo):
    """Return a short hash of all that a demo's frames depend on."""
    return _hash(sources(demo))


def cells_digest():
    """Return a short hash of all that the pages' cells may import."""
    return _hash(_python_files([*SOURCES, DEMOS]))


def _python_files(folders):
    return sorted(path for folder in folders for path in folder.rglob("*.py"))


def _hash(files):
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()[:12]


def script_name(demo):
    """Return the address of a demo's script below the site's root."""
    return f"{FOLDER}/{_short(demo)}.{digest(demo)}.js"


def states(demo):
    """Return the values of every state whose frame is computed ahead, the first state first."""
    first = first_values(demo)
    wanted = [first]
    wanted += [{**first, **preset} for preset in demo.presets.values()]
    wanted.append({**first, **demo.bet["values"]})
    wanted += [{**first, c.name: tick} for c in controls_of(demo) for tick in c.ticks()]
    unique = {json.dumps(values, sort_keys=True): values for values in wanted}
    return list(unique.values())


def write(demo, root):
    """Write a demo's script and its Python file below the site's root, if they are not there yet."""
    folder = Path(root) / FOLDER
    target = Path(root) / script_name(demo)
    if target.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    baked = [_short_numbers(frames.run(demo, values)) for values in states(demo)]
    shutil.copyfile(inspect.getfile(demo), folder / f"{_short(demo)}.{digest(demo)}.py")
    shutil.copyfile(frames.__file__, folder / f"frames.{digest(demo)}.py")
    payload = {
        "frames": baked,
        "charts": {layout: charts.vega(demo, layout) for layout in charts.WIDTHS},
    }
    part = target.with_suffix(".part")
    part.write_text(
        f"course.demos[{json.dumps(_short(demo))}]={json.dumps(payload, separators=(',', ':'))};\n"
    )
    part.replace(target)


def prune(demos, root):
    """Remove what earlier builds wrote for demos that have changed since, or are no longer shown."""
    current = {digest(demo) for demo in demos}
    for path in (Path(root) / FOLDER).glob("*.*.*"):
        if path.name.split(".")[1] not in current:
            path.unlink()


def _short(demo):
    return demo.__name__.rpartition(".")[2]


def _short_numbers(frame):
    """Round the chart's columns: six digits draw the same line at half the bytes."""
    tables = {
        name: {key: [_six(x) for x in column] for key, column in table.items()}
        for name, table in frame["tables"].items()
    }
    return {**frame, "tables": tables}


def _six(value):
    return float(f"{value:.6g}") if isinstance(value, float) else value
