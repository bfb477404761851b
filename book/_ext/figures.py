"""Shows a matplotlib figure in a page, in the course's type and in the reader's color scheme.

Colors of the palette are drawn in their light shade and leave here as CSS variables, so one
picture serves light and dark. Text stays text: it can be read aloud, selected and enlarged.
"""

import io
import re
from contextlib import contextmanager
from html import escape

import matplotlib
from matplotlib import pyplot

from book._ext.palette import COLORS, color

STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "figure",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
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
    "axes.prop_cycle": matplotlib.cycler(
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
    svg = re.sub(r"font: ([\d.]+px) [^;\"]*", r"font: \1 var(--font-ui)", svg)
    return Picture(svg, alt)
