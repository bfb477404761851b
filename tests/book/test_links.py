"""The link check finds each kind of broken link, by file and line."""

import pytest

from book._tools import links

GOOD = '<h1 id="top">x</h1>\n<a href="sub/">x</a> <a href="sub/index.html#here">x</a> <a href="#top">x</a>'


@pytest.fixture
def site(tmp_path):
    """Write two pages that link to each other as they should."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "index.html").write_text(GOOD)
    (tmp_path / "sub" / "index.html").write_text('<p id="here"><a href="../index.html?q=1#top">x</a>')
    return tmp_path


def test_good_links_pass(site):
    """Pages, folders, fragments, queries and other hosts are no fault."""
    (site / "more.html").write_text('<a href="https://example.org/none">x</a><a href="data:,x">x</a>')
    assert links.check(site) == []


@pytest.mark.parametrize(
    ("tag", "fault"),
    [
        ('<a href="none.html">', "no such file"),
        ('<img src="none.png">', "no such file"),
        ('<a href="sub/index.html#none">', "no such element"),
        ('<a href="#none">', "no such element"),
        ('<a href="/index.html">', "sub-folder"),
        ('<script src="//example.org/x.js">', "sub-folder"),
    ],
)
def test_each_broken_link_is_named(site, tag, fault):
    """One planted fault gives one line, with page, line number and reason."""
    (site / "index.html").write_text(f"{GOOD}\n{tag}")
    (line,) = links.check(site)
    assert line.startswith("index.html:3: ")
    assert fault in line
