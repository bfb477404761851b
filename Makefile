# Each target does the set-up it needs: Python packages in .venv, npm's in node_modules, downloads in a cache
# folder ($COURSE_CACHE, or debugging-strategies in the user's cache). Nothing else is written outside _build.

PORT ?= 8000
PYTHONS = python3.14 python3.13 python3.12 python3 \
    $(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/3.*/bin/python3)
RUN = .venv/bin/python -m

.PHONY: help setup html serve test lint bench clean

help:
	@echo "make html    build the course into _build/html"
	@echo "make serve   serve it on this machine"
	@echo "make test    run all tests, the browser's too"
	@echo "make lint    check style, types, spelling and links"
	@echo "make bench   measure start-up, response and build times"
	@echo "make clean   remove what was built"

# The first Python that is new enough and really starts (pyenv's stand-ins need not).
setup:
	@for python in $(PYTHONS); do \
	    if $$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null; then \
	        exec $$python -m book._tools.environment; \
	    fi; \
	done; \
	echo "error: No Python 3.12 or newer was found: install one with its venv module" \
	    "(Debian 13: apt-get install python3-venv), then run the same command again." >&2; \
	exit 1

# Sphinx trusts files by their date and keeps quiet on pages that it has read before: after a build that
# failed or was stopped, the next one begins afresh.
html: setup
	@if [ -e _build/unfinished ]; then rm -rf _build/html _build/doctrees; fi
	@mkdir -p _build && touch _build/unfinished
	.venv/bin/sphinx-build -b html -c . -d _build/doctrees -n -W --keep-going book _build/html
	@rm _build/unfinished

serve: $(if $(wildcard _build/html/index.html),setup,html)
	@$(RUN) book._tools.serve --port $(PORT)

test: html
	@$(RUN) book._tools.browser
	$(RUN) pytest

lint: html
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy mlbug demos book conf.py
	.venv/bin/node node_modules/typescript/bin/tsc -p book/_tools
	.venv/bin/codespell
	$(RUN) book._tools.links

bench: html
	@$(RUN) book._tools.browser
	$(RUN) tests.bench.site_bench
	$(RUN) tests.bench.gradient_bench

clean:
	rm -rf _build .pytest_cache .mypy_cache .ruff_cache .hypothesis
