"""The page's Python: how it starts, how it is stopped, and what happens when it dies."""

import re

from tests.browser.reader import START_LIMIT

PAGE, DEMO = "why-bugs-hide.html", "bias_update"


def press(reader, figure, key):
    """Move a slider and wait for the frame."""
    count = len(reader.frames(DEMO))
    figure.locator("[name=steps]").press(key)
    reader.settled(DEMO, count)
    return reader.frames(DEMO)[-1]


def test_a_killed_worker_is_replaced(reader):
    """After its worker has gone a demo answers again from a new one, without a reload."""
    reader.open(PAGE)
    figure = reader.wake(DEMO)
    first = reader.page.workers[0]
    first.evaluate("self.close()")
    figure.locator("[name=steps]").press("Home")
    reader.page.wait_for_function(
        "frames_seen.at(-1)?.source === 'live' && frames_seen.at(-1).values.steps === 10", timeout=START_LIMIT
    )
    assert reader.page.workers[0] != first


def test_a_long_run_can_be_stopped(reader):
    """A run that takes long shows a stop button; after the stop the next run works."""
    reader.open(PAGE)
    figure = reader.wake(DEMO)
    reader.page.evaluate(
        """() => {
            const { script } = document.querySelector('figure.demo').dataset;
            const values = { ...course.demos.bias_update.frames[0].values, steps: 2e8 };
            course.python.run('bias_update', script, values).catch((e) => (window.stopped = e.message));
        }"""
    )
    stop = figure.locator("[name=stop]")
    stop.wait_for(state="visible")
    stop.click()
    reader.page.wait_for_function("window.stopped === 'stopped'", timeout=1000)
    reader.wake(DEMO)
    assert press(reader, figure, "End")["source"] == "live"


def test_a_failed_start_says_so_and_can_be_tried_again(new_reader):
    """Where a part of Python cannot be had, a sentence says it, the picture stays, a button tries again."""
    reader = new_reader()
    reader.context.route("**/pyodide.asm.wasm", lambda route: route.abort())
    reader.open(PAGE)
    figure = reader.figure(DEMO)
    figure.scroll_into_view_if_needed()
    reader.page.wait_for_selector("figure.demo[data-state=failed]", timeout=START_LIMIT)
    assert figure.locator(".demo-error").inner_text().startswith("This did not work")
    assert figure.locator(".demo-picture svg").first.is_visible()
    reader.context.unroute("**/pyodide.asm.wasm")
    figure.locator("[name=retry]").click()
    reader.wake(DEMO)
    assert not figure.locator(".demo-error").is_visible()


def test_the_wait_for_python_is_told(reader):
    """While Python comes, a bar counts its bytes, of a total that the build knows."""
    reader.page.add_init_script(
        """window.told = new Set(); addEventListener('DOMContentLoaded', () => new MutationObserver(() =>
            document.querySelectorAll('.stage').forEach((s) => told.add(s.textContent)))
            .observe(document.body, { subtree: true, childList: true, characterData: true }))"""
    )
    reader.open(PAGE)
    reader.wake(DEMO)
    told = reader.page.evaluate("[...told]")
    counts = [re.fullmatch(r"Fetching Python: ([\d.]+) of ([\d.]+) MB", line) for line in told]
    amounts = [(float(m[1]), float(m[2])) for m in counts if m]
    assert amounts, told
    assert all(done <= total for done, total in amounts)
    assert max(done for done, _ in amounts) > 0.9 * amounts[0][1]
    assert "Loading numpy and mlbug" in told


def test_the_next_page_fetches_no_runtime(reader):
    """The runtime's files are named by their content: a second page takes them from the browser's cache."""
    reader.open(PAGE)
    reader.wake(DEMO)
    reader.open("index.html")
    reader.wake(DEMO)
    moved = reader.page.evaluate(
        """performance.getEntriesByType('resource').filter((e) => e.name.includes('_runtime'))
            .reduce((sum, e) => sum + e.transferSize, 0)"""
    )
    assert moved == 0


def test_frames_of_the_build_answer_before_python(new_reader):
    """Until Python is there, controls answer from frames that the build computed."""
    reader = new_reader()
    reader.context.route("**/_runtime/**", lambda route: None)
    reader.open(PAGE)
    figure = reader.wake(DEMO, state="baked")
    frame = press(reader, figure, "Home")
    assert frame["source"] == "baked"
    assert frame["values"]["steps"] == 10
    figure.locator("[name=learning_rate]").press("End")
    reader.page.wait_for_selector(".demo-picture[data-near]")
    assert "computed ahead" in figure.locator(".demo-picture").get_attribute("data-near")
