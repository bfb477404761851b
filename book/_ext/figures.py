"""Shows a matplotlib figure in a page, in the course's type and in the reader's color scheme.

Colors of the palette are drawn in their light shade and leave here as CSS variables, so one
picture serves light and dark. Text stays text: it can be read aloud, selected and enlarged.
"""

import functools
import io
import os
import re
from contextlib import contextmanager
from html import escape
from pathlib import Path

import matplotlib
from cycler import cycler
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont
from matplotlib import font_manager, pyplot

from book._ext.palette import COLORS, color
from book._ext.vendor import FONTS, PACKAGES

FACE = "Course Sans"
FACE_FILE = PACKAGES / FONTS / "source-sans-3/files/source-sans-3-latin-wght-normal.woff2"
FACE_CACHE = Path(__file__).parents[2] / "_build" / "fonts" / "course-sans.ttf"

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "figure",
    "font.family": [FACE, "DejaVu Sans"],
    "mathtext.fontset": "custom",
    **{f"mathtext.{style}": FACE for style in ("rm", "it", "bf", "bfit", "cal", "sf", "tt")},
    "font.size": 10,
    "figure.figsize": (7.0, 3.2),
    "figure.constrained_layout.use": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "axes.edgecolor": COLORS["rule"][0],
    "axes.labelcolor": COLORS["ink"][0],
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "grid.color": COLORS["rule"][0],
    "grid.linewidth": 0.7,
    "text.color": COLORS["ink"][0],
    "xtick.color": COLORS["quiet"][0],
    "ytick.color": COLORS["quiet"][0],
    "lines.linewidth": 2.0,
    "legend.frameon": False,
    "axes.prop_cycle": cycler(
        color=[COLORS[name][0] for name in ("sound", "broken", "third", "fourth", "theory")]
    ),
}


def shade(name):
    """Return a palette color as matplotlib draws it; it follows the scheme once it is shown."""
    return COLORS[name][0]


class Picture:
    """A finished figure as inline SVG, with its alternative text."""

    def __init__(self, svg, alt):
        self.svg, self.alt = svg, alt

    def _repr_html_(self):
        return f'<div class="plot" role="img" aria-label="{escape(self.alt)}">{self.svg}</div>'


@contextmanager
def drawing():
    """Draw in the course's style; figures that are left open are closed."""
    _add_face()
    with matplotlib.rc_context(STYLE):
        yield
        pyplot.close("all")


def picture(figure, alt):
    """Return a matplotlib figure as a `Picture`.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Drawn under `drawing`, with colors from `shade`.
    alt : str
        What the figure shows, in a sentence or two; for readers who do not see it.
    """
    if not alt.strip():
        raise ValueError("picture: say in `alt` what the figure shows")
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = re.sub(r"^.*?(?=<svg)", "", buffer.getvalue(), flags=re.S)
    for name, (light, _) in COLORS.items():
        svg = svg.replace(light, color(name))
    svg = re.sub(r"font-family: [^;\"]*", "font-family: var(--font-ui)", svg)
    return Picture(svg, alt)


@functools.cache
def _add_face():
    """Give matplotlib the page's typeface, as the plain font file that it can measure."""
    if not FACE_CACHE.exists():
        FACE_CACHE.parent.mkdir(parents=True, exist_ok=True)
        font = instantiateVariableFont(TTFont(FACE_FILE), {"wght": 400})
        font["name"].setName(FACE, 1, 3, 1, 0x409)
        font.flavor = None
        part = FACE_CACHE.with_suffix(f".{os.getpid()}")
        font.save(part)
        part.replace(FACE_CACHE)
    font_manager.fontManager.addfont(FACE_CACHE)
