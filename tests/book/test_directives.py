"""The directives, in small books that Sphinx really builds."""

import pytest
from sphinx.testing.util import SphinxTestApp
from sphinx.util.console import strip_escape_sequences

CONFIG = """
extensions = ["myst_nb", "book._ext"]
myst_enable_extensions = ["colon_fence"]
"""


@pytest.fixture
def build(tmp_path):
    """Build a book of one page; returns its HTML and what Sphinx complained of."""

    def run(text):
        source = tmp_path / "source"
        source.mkdir(exist_ok=True)
        (source / "conf.py").write_text(CONFIG)
        (source / "index.md").write_text(text, encoding="utf-8")
        runtime = tmp_path / "0123456789abcdef"
        runtime.mkdir(exist_ok=True)
        (runtime / "manifest.json").write_text('{"total_bytes": 17000000}')
        app = SphinxTestApp("html", source, confoverrides={"demo_runtime": runtime})
        app.build()
        page = (app.outdir / "index.html").read_text(encoding="utf-8")
        complaints = strip_escape_sequences(app.warning.getvalue())
        app.cleanup()
        return page, complaints

    return run


def test_a_passage_names_its_source(build):
    """Source and place stand above the passage, and the list of marks links to it."""
    page, complaints = build(
        "# T\n\n:::{provenance} book\n:at: p. 437\nSome words here.\n:::\n\n```{provenance-list}\n```\n"
    )
    assert complaints == ""
    assert '<p class="provenance-mark">Deep Learning, p. 437</p>' in page
    assert 'href="#passage-0">Some words here. …</a>' in page


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (":::{provenance} hearsay\nX.\n:::", "hearsay"),
        (":::{provenance} book\nX.\n:::", "needs its place"),
        (":::{level} wizard\nX.\n:::", "wizard"),
        ("```{demo} no_such_demo\n```", "no_such_demo"),
        ("```{demo} bias_update\n:only: sleeves\n```", "no control of the demo: sleeves"),
    ],
)
def test_a_mistake_is_reported_at_its_line(build, text, says):
    """The build's complaint names the page, the line and the fault."""
    _, complaints = build(f"# T\n\n{text}\n")
    assert says in complaints
    assert "index.md:3" in complaints


def test_one_switch_stands_above_the_first_level(build):
    """Four levels, one switch; without JavaScript all four are in the page."""
    told = "".join(
        f":::{{level}} {key}\nTold {key}.\n:::\n\n" for key in ("everyday", "plain", "practice", "theory")
    )
    page, complaints = build(f"# T\n\n{told}")
    assert complaints == ""
    assert page.count('class="level-switch"') == 1
    assert all(f"Told {key}." in page for key in ("everyday", "plain", "practice", "theory"))


def test_a_demo_is_whole_in_the_page(build, tmp_path):
    """Pictures for two widths, verdict, controls and source are in the HTML; its script lies beside."""
    page, complaints = build("# T\n\n```{demo} bias_update\n:only: steps\n```\n")
    assert complaints == ""
    assert page.count("<svg xmlns") == 2
    assert 'data-demo="bias_update" data-state="static"' in page
    assert 'role="status" data-tone="bad"' in page
    assert 'data-runtime="_runtime/0123456789abcdef/"' in page
    assert "def frame(" in page
    (script,) = (tmp_path / "source" / "_build" / "html" / "_demos").glob("bias_update.*.js")
    assert f'data-script="_demos/{script.name}"' in page
