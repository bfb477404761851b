"""Sphinx configuration of the course."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)  # the kernels that execute the pages' cells

from book._ext import formulas  # noqa: E402
from book._ext.bake import cells_digest  # noqa: E402
from book._tools.cache import cache_dir  # noqa: E402
from book._tools.runtime import assemble  # noqa: E402

project = "Debugging Strategies"
author = "The mlbug authors"
copyright = "The mlbug authors"
language = "en"
extensions = [
    "myst_nb",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinxcontrib.katex",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "book._ext",
]
exclude_patterns = ["_ext", "_tools", "_static"]

html_theme = "furo"
html_title = project
html_favicon = "book/_static/favicon.svg"
html_static_path = ["book/_static"]
html_copy_source = False

# Pages' cells run anew when they change, or anything that they may import.
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / "_build" / "cells" / cells_digest())
nb_execution_raise_on_error = True
nb_execution_timeout = 300  # seconds a cell, for slow and busy machines
nb_execution_show_tb = True
nb_output_stderr = "warn"
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]

# What the browser needs to run Python; its folder is named by its content, `mlbug` included.
demo_runtime = assemble(cache_dir(), ROOT / "_build")

formulas.configure()
katex_prerender = True
katex_css_path = "katex/katex.min.css"

# Types in docstrings are words for readers ("array_like, shape (n,)"), not names to link.
napoleon_use_param = napoleon_use_rtype = False
nitpick_ignore_regex = [("py:class", ".*")]
autodoc_typehints = "none"
