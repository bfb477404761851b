"""The `demo` directive: a figure that is whole without JavaScript and comes alive with it.

    ```{demo} bias_update
    ```

`:only:` names the controls that this page shows; the others keep their first value.
"""

import inspect
import json
import re
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from jinja2 import Environment, FileSystemLoader
from sphinx.util.docutils import SphinxDirective

from book._ext import bake, charts, frames
from book._ext.controls import DemoError, controls_of, first_values

TEMPLATE = Path(__file__).with_name("demo.html.jinja")
TEMPLATES = Environment(loader=FileSystemLoader(TEMPLATE.parent), autoescape=True, trim_blocks=True)
TABLE_ROWS = 24


class DemoNode(nodes.General, nodes.Element):
    """A demo in a page; holds the finished HTML but for addresses, which depend on the page."""


class Demo(SphinxDirective):
    """Put a demo of `demos/` into a page, drawn in its first state."""

    required_arguments = 1
    option_spec: ClassVar = {"only": directives.unchanged_required}

    def run(self):
        name = self.arguments[0]
        try:
            demo = bake.load(name)
            html = self._html(name, demo)
        except (ModuleNotFoundError, AttributeError, DemoError, frames.FrameError) as error:
            raise self.error(f"demo {name!r}: {error}") from error
        for path in [*bake.sources(demo), TEMPLATE]:
            self.env.note_dependency(str(path))
        if not hasattr(self.env, "demos"):
            self.env.demos = {}
        self.env.demos.setdefault(self.env.docname, set()).add(name)
        return [DemoNode(html=html, script=bake.script_name(demo), name=name)]

    def _html(self, name, demo):
        frame = frames.run(demo, first_values(demo))
        shown = self.options.get("only", "").split() or list(demo.controls)
        unknown = set(shown) - set(demo.controls)
        if unknown:
            raise DemoError(f"`:only:` names no control of the demo: {', '.join(sorted(unknown))}")
        return TEMPLATES.get_template(TEMPLATE.name).render(
            name=name,
            demo=demo,
            caption=inspect.getdoc(demo).partition("\n\n")[2],
            controls=controls_of(demo),
            shown=shown,
            frame=frame,
            pictures={layout: charts.svg(charts.vega(demo, layout), frame) for layout in charts.WIDTHS},
            tables={key: thinned(table) for key, table in frame["tables"].items()},
            bet=bet_of(demo),
            sends=sends_of(demo),
            presets={label: json.dumps(values) for label, values in demo.presets.items()},
            source=inspect.getsource(demo),
            short=frames.text,
            outline=outline,
            megabytes=megabytes(self.config.demo_runtime),
        )


def bet_of(demo):
    """Return a demo's bet with its answer, which the build computes."""
    bet = demo.bet
    values = {**first_values(demo), **bet["values"]}
    answer = frames.run(demo, values)["numbers"][bet["number"]]
    low, high, _ = bet["range"]
    if not low <= answer <= high:
        raise DemoError(f"the bet's answer {answer:.6g} lies outside its range {low} to {high}")
    return {**bet, "answer": answer, "values": json.dumps(bet["values"])}


def sends_of(demo):
    """Return where a demo sends the values that a reader picks in its picture, as JSON, or None."""
    if not hasattr(demo, "sends"):
        return None
    for name in (demo.__name__.rpartition(".")[2], demo.sends["to"]):
        unknown = set(demo.sends["fields"]) - set(bake.load(name).controls)
        if unknown:
            raise DemoError(f"`sends` names no control of {name}: {', '.join(sorted(unknown))}")
    return json.dumps(demo.sends)


def thinned(table):
    """Return a table's column names and evenly spaced rows, few enough to read."""
    rows = list(zip(*table.values(), strict=True))
    stride = max(1, -(-len(rows) // TABLE_ROWS))
    return {"names": list(table), "rows": rows[::stride], "stride": stride}


def outline(svg):
    """Return a drawing's aspect ratio: the place keeps it when the browser draws there, to the pixel."""
    return re.search(r'viewBox="0 0 (\S+) (\S+)"', svg).expand(r"\1 / \2")


def megabytes(runtime):
    """Return how much the browser fetches to run Python, in whole megabytes."""
    return round(json.loads((runtime / "manifest.json").read_text())["total_bytes"] / 1e6)


def visit_demo(translator, node):
    """Write the figure with the addresses that hold from this page."""
    builder = translator.builder
    up = "../" * builder.current_docname.count("/")
    script = up + node["script"]
    runtime = f"{up}_runtime/{translator.config.demo_runtime.name}/"
    head = f'data-script="{script}" data-runtime="{runtime}"'
    translator.body.append(node["html"].replace("data-addresses", head))
    raise nodes.SkipNode


def merge(app, env, docnames, other):
    """Take over the demos that another process found in its pages."""
    if not hasattr(env, "demos"):
        env.demos = {}
    env.demos.update(getattr(other, "demos", {}))


def purge(app, env, docname):
    """Forget a page's demos before it is read again."""
    getattr(env, "demos", {}).pop(docname, None)


def write_assets(app, error):
    """Write the scripts of all demos that pages show."""
    if error or app.builder.format != "html":
        return
    shown = [bake.load(name) for name in sorted(set().union(*getattr(app.env, "demos", {}).values()))]
    for demo in shown:
        bake.write(demo, app.outdir)
    bake.prune(shown, app.outdir)
