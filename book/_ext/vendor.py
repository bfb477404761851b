"""Copies other projects' fonts and scripts, as npm installed them, among the site's static files."""

import shutil
from pathlib import Path

PACKAGES = Path(__file__).parents[2] / "node_modules"
FONTS = "@fontsource-variable"

FILES = {
    "vega/build/vega.min.js": "vega/vega.min.js",
    "vega-interpreter/build/vega-interpreter.min.js": "vega/vega-interpreter.min.js",
    "katex/dist/katex.min.css": "katex/katex.min.css",
    "katex/dist/fonts": "katex/fonts",
    f"{FONTS}/source-serif-4/files/source-serif-4-latin-wght-normal.woff2": "fonts/serif.woff2",
    f"{FONTS}/source-serif-4/files/source-serif-4-latin-wght-italic.woff2": "fonts/serif-italic.woff2",
    f"{FONTS}/source-sans-3/files/source-sans-3-latin-wght-normal.woff2": "fonts/sans.woff2",
    f"{FONTS}/source-code-pro/files/source-code-pro-latin-wght-normal.woff2": "fonts/code.woff2",
}


PRELOADED = ("fonts/serif.woff2", "fonts/sans.woff2")


def preload(app, pagename, templatename, context, doctree):
    """Have the browser ask for the typefaces of text before it has read the style sheets."""
    for face in PRELOADED:
        address = context["pathto"](f"_static/{face}", resource=True)
        link = f'<link rel="preload" href="{address}" as="font" type="font/woff2" crossorigin>'
        context["metatags"] = context.get("metatags", "") + link


def copy(app):
    """Copy what changed; says what to do where npm has not been run."""
    for source, target in FILES.items():
        origin, place = PACKAGES / source, Path(app.outdir) / "_static" / target
        if not origin.exists():
            raise FileNotFoundError(
                f"{source} is not in node_modules: run `npm ci`, or `make html`, which does"
            )
        place.parent.mkdir(parents=True, exist_ok=True)
        if origin.is_dir():
            shutil.copytree(
                origin, place, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.ttf", "*.woff")
            )
        elif not place.exists() or place.stat().st_mtime < origin.stat().st_mtime:
            shutil.copy2(origin, place)
