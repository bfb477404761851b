"""The course's Sphinx extension: every directive, and the assets that they need."""

import shutil
from pathlib import Path

from book._ext import demo, execute, level, palette, provenance, vendor

STYLES = ("palette.css", "type.css", "page.css", "demo.css")
DEMO_SCRIPTS = ("store.js", "python.js", "chart.js", "controls.js", "bet.js", "demo.js")


def setup(app):
    app.add_config_value("demo_runtime", None, "env", types=())
    app.add_node(demo.DemoNode, html=(demo.visit_demo, None))
    app.add_directive("demo", demo.Demo)
    app.add_node(level.LevelSwitch, html=(level.visit_switch, None))
    app.add_directive("level", level.Level)
    app.add_directive("provenance", provenance.Provenance)
    app.add_directive("provenance-list", provenance.ProvenanceList)
    for style in STYLES:
        app.add_css_file(style)
    app.connect("builder-inited", write_palette)
    app.connect("builder-inited", vendor.copy)
    app.connect("env-before-read-docs", execute.execute_pages)
    app.connect("html-page-context", vendor.preload)
    app.connect("html-page-context", level.choose_early)
    app.connect("html-page-context", add_demo_scripts)
    app.connect("html-page-context", open_to_keyboards, priority=900)  # after the theme has drawn
    app.connect("env-merge-info", demo.merge)
    app.connect("env-purge-doc", demo.purge)
    app.connect("env-merge-info", provenance.merge)
    app.connect("env-purge-doc", provenance.purge)
    app.connect("env-updated", provenance.pages_with_list)
    app.connect("doctree-resolved", provenance.fill_lists)
    app.connect("build-finished", demo.write_assets)
    app.connect("build-finished", copy_runtime)
    return {"parallel_read_safe": True, "parallel_write_safe": True, "env_version": 1}


def write_palette(app):
    """Write the style sheet of the palette where Sphinx collects static files."""
    folder = Path(app.outdir) / "_static"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "palette.css").write_text(palette.css_variables())


def add_demo_scripts(app, pagename, templatename, context, doctree):
    """Load the demos' scripts on pages that show one, and nowhere else."""
    if getattr(app.env, "demos", {}).get(pagename):
        for script in DEMO_SCRIPTS:
            app.add_js_file(script, loading_method="defer")


def open_to_keyboards(app, pagename, templatename, context, doctree):
    """Mend two gaps of the theme: captions are headings of some level; code that scrolls takes the focus."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')
    body = context.get("body", "")
    context["body"] = body.replace(
        '<div class="highlight"><pre>', '<div class="highlight"><pre tabindex="0">'
    )


def copy_runtime(app, error):
    """Put the browser's Python into the site, in a folder named by its content."""
    runtime = app.config.demo_runtime
    target = Path(app.outdir) / "_runtime" / runtime.name
    if error or target.exists():
        return
    shutil.rmtree(target.parent, ignore_errors=True)
    part = target.with_name("part")
    shutil.copytree(runtime, part)
    part.rename(target)
