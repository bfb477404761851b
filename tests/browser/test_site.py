"""The site as a whole: every host, every width, no JavaScript, from disk."""

import threading
from pathlib import Path

import pytest

from book._tools import links
from book._tools.serve import SITE, open_server
from tests.browser.reader import demos_by_page, pages

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"


# What may be wider than the screen: it scrolls by itself, or is there for screen readers alone.
SCROLLS = "pre, svg *, .table-wrap, .table-wrapper, .katex-display, .katex-mathml, .plot"


@pytest.mark.parametrize("page", pages())
@pytest.mark.parametrize("width", [320, 390, 820, 1440])
def test_nothing_scrolls_sideways(reader, page, width):
    """At each width all content stays on the screen, but for code and wide formulas; no error on loading."""
    reader.page.set_viewport_size({"width": width, "height": 900})
    reader.open(page)
    assert reader.page.evaluate("document.documentElement.scrollWidth") <= width
    beyond = reader.page.evaluate(
        """(scrolls) => [...document.querySelectorAll("article *")].filter((e) => !e.closest(scrolls)
            && e.getBoundingClientRect().width > 0 && e.getBoundingClientRect().right > innerWidth + 1)
            .map((e) => e.outerHTML.slice(0, 120))""",
        SCROLLS,
    )
    assert beyond == []


def test_no_link_is_broken():
    """Every file and every element that a page links to, or takes a script from, is there."""
    assert links.check(SITE) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("page", pages())
def test_accessibility(new_reader, page, scheme):
    """axe-core finds nothing that WCAG 2.2 AA forbids, in both color schemes."""
    reader = new_reader(color_scheme=scheme)
    reader.open(page)
    reader.page.add_script_tag(path=AXE)
    found = reader.page.evaluate(
        """async () => (await axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }))
            .violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.target).join(' | ')}`)"""
    )
    assert found == []


@pytest.mark.parametrize("page", demos_by_page())
def test_nothing_jumps_when_demos_turn_live(reader, page):
    """The layout shifts by less than 0.01 from the first paint to the last live demo."""
    reader.page.add_init_script(
        """window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((e) => {
            if (!e.hadRecentInput) shift += e.value; })).observe({ type: 'layout-shift', buffered: true })"""
    )
    reader.open(page)
    for name in demos_by_page()[page]:
        reader.wake(name)
    assert reader.page.evaluate("shift") < 0.01


@pytest.mark.parametrize("page", demos_by_page())
def test_without_javascript_the_page_is_whole(new_reader, page):
    """Picture, verdict and numbers of the first state are in the page as the build wrote it."""
    reader = new_reader(java_script_enabled=False)
    reader.page.goto(reader.root + page)
    for name in demos_by_page()[page]:
        figure = reader.figure(name)
        assert figure.locator(".demo-picture svg path").count() > 3
        assert len(figure.locator(".verdict").inner_text()) > 20
        assert all(figure.locator("output").all_inner_texts())


@pytest.mark.parametrize("page", demos_by_page())
def test_from_disk_controls_answer(new_reader, page):
    """Opened as a file, demos answer from the build's frames and say how to get live Python."""
    reader = new_reader(root=SITE.as_uri() + "/")
    failed = []
    reader.page.on("requestfailed", lambda request: failed.append(request.url))
    reader.open(page)
    name = demos_by_page()[page][0]
    figure = reader.wake(name, state="baked")
    count = len(reader.frames(name))
    figure.locator(".control:visible [type=range]").first.press("End")
    reader.settled(name, count)
    assert reader.frames(name)[-1]["source"] == "baked"
    assert "make serve" in figure.locator(".stage").inner_text()
    # A browser does not fetch a typeface from disk ahead of its style sheet, and says so.
    assert [address for address in failed if not address.endswith(".woff2")] == []
    assert [t for t in reader.troubles if "font" not in t and "ERR_FAILED" not in t] == []


def test_the_site_works_below_any_path(new_reader, tmp_path):
    """The same build turns live at a sub-path: no address in it starts at the root."""
    (tmp_path / "index.html").touch()
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").symlink_to(SITE)
    with open_server(tmp_path, 8800) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        reader = new_reader(root=f"http://127.0.0.1:{server.server_port}/a/b/")
        reader.open("why-bugs-hide.html")
        reader.wake("bias_update")
        server.shutdown()
    assert reader.troubles == []


def test_a_strict_content_policy_is_enough(new_reader):
    """Demos work where scripts may only come from the site and may not be made from text."""
    policy = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"
    reader = new_reader()

    def strict(route):
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})

    reader.context.route("**/*.html", strict)
    reader.open("why-bugs-hide.html")
    reader.wake("bias_update")


@pytest.mark.parametrize("page", [next(iter(demos_by_page()))])
def test_a_bet_is_answered_with_its_gap(reader, page):
    """A bet placed shows both numbers and the gap, moves the demo there, and is remembered."""
    reader.open(page)
    name = demos_by_page()[page][0]
    reader.wake(name)
    bet = reader.page.locator("form.bet").first
    answer = float(bet.get_attribute("data-answer"))
    count = len(reader.frames(name))
    bet.locator("input").fill(bet.locator("input").get_attribute("max"))
    bet.get_by_role("button", name="Place the bet").click()
    reader.settled(name, count)
    number = bet.get_attribute("data-number")
    assert "You bet" in bet.locator(".bet-gap").inner_text()
    shown = reader.figure(name).locator(f"output[name={number}]").inner_text()
    assert shown in bet.locator(".bet-gap").inner_text()
    assert float(shown.replace("\N{MINUS SIGN}", "-")) == pytest.approx(answer, abs=0.01)
    reader.page.reload()
    assert "You bet" in reader.page.locator(".bet-gap").first.inner_text()
