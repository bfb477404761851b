"""Executes the cells of all pages that changed, as many pages at a time as the machine has cores.

MyST-NB then finds each page in its cache. It would execute them one after another, and its kernels do
not survive the forks of a parallel Sphinx. A page that fails here is left to it: it says where and why.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import create_nb_reader
from sphinx.util import logging

LOGGER = logging.getLogger(__name__)


def execute_pages(app, env, docnames):
    """Fill MyST-NB's cache with the pages that Sphinx is about to read."""
    cache = get_cache(env.mystnb_config.execution_cache_path)
    waiting = {name: page for name in docnames if (page := _read(env, name)) and not _cached(cache, page)}
    if len(waiting) < 2:
        return
    with ThreadPoolExecutor(os.cpu_count()) as kernels:
        done = {name: kernels.submit(_execute, env, name, page) for name, page in waiting.items()}
        for count, (name, result) in enumerate(done.items(), start=1):
            if result.result().err is None:
                bundle = CacheBundleIn(waiting[name], str(env.doc2path(name)))
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            LOGGER.info("executed %s (%d of %d)", name, count, len(done))


def _read(env, name):
    """Return a page as a notebook, or None if it has no cells."""
    path = env.doc2path(name)
    text = Path(path).read_text(encoding="utf-8")
    reader = create_nb_reader(str(path), env.myst_config, env.mystnb_config, text)
    return reader and reader.read(text)


def _cached(cache, page):
    try:
        return cache.match_cache_notebook(page)
    except KeyError:
        return None


def _execute(env, name, page):
    folder = Path(env.doc2path(name)).parent
    timeout = env.mystnb_config.execution_timeout
    return single_nb_execution(page, cwd=str(folder), allow_errors=False, timeout=timeout)
