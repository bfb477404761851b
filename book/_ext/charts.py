"""Draws a demo's Vega-Lite chart: its Vega specification for the browser, its first state as SVG.

Charts are compiled for two widths, a wide page and a phone; CSS shows the one that fits, so text
keeps its size. Axes have a fixed extent: the picture never changes its outline with the data.
"""

import functools
import re

import altair
import vl_convert

from book._ext.palette import color

WIDTHS = {"wide": 700, "narrow": 350}
FONT = "Source Sans 3 Variable, Source Sans 3, sans-serif"


@functools.cache
def vega(demo, layout):
    """Return the Vega specification of a demo's chart for a layout, with no data in it."""
    chart = demo.chart(WIDTHS[layout]).configure(**_config())
    lite = chart.to_dict()
    lite["background"] = None
    major, minor = altair.SCHEMA_VERSION.lstrip("v").split(".")[:2]
    return vl_convert.vegalite_to_vega(lite, vl_version=f"{major}.{minor}")


def with_data(spec, frame):
    """Return a Vega specification that holds a frame's tables."""
    filled = [
        {**data, "values": rows(frame["tables"][data["name"]])} if data["name"] in frame["tables"] else data
        for data in spec["data"]
    ]
    return {**spec, "data": filled}


def rows(columns):
    """Turn columns into the list of rows that Vega reads."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def svg(spec, frame):
    """Return a frame drawn as SVG text; a tenth of a pixel is all that a screen can show."""
    drawn = vl_convert.vega_to_svg(with_data(spec, frame))
    return re.sub(r' (?:d|transform)="[^"]*"', lambda place: _tenths(place[0]), drawn)


def _tenths(text):
    return re.sub(r"-?\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", text)


def _config():
    quiet, ink, line = color("quiet"), color("ink"), color("rule")
    label = {"labelFont": FONT, "titleFont": FONT, "labelColor": quiet, "titleColor": ink}
    return {
        "font": FONT,
        "aria": False,  # the figure itself names and describes the picture, and its table holds the data
        "view": altair.ViewConfig(stroke=None),
        "axis": altair.AxisConfig(
            **label, labelFontSize=12, titleFontSize=13, titleFontWeight="normal", titlePadding=8,
            gridColor=line, gridOpacity=0.7, domain=False, tickColor=line, tickSize=4, labelPadding=5,
        ),
        "axisY": altair.AxisConfig(minExtent=38, maxExtent=38),
        "axisX": altair.AxisConfig(minExtent=16, maxExtent=16),
        "legend": altair.LegendConfig(**label, labelFontSize=13, symbolStrokeWidth=2.5, columnPadding=18),
        "title": altair.TitleConfig(
            font=FONT, color=ink, fontSize=14, fontWeight=600, anchor="start", frame="group", offset=10,
            subtitleFont=FONT, subtitleColor=quiet,
        ),
        "text": altair.MarkConfig(font=FONT, fontSize=13, color=ink),
        "line": altair.LineConfig(strokeWidth=2.2),
        "rule": altair.MarkConfig(color=color("theory")),
    }  # fmt: skip
