"""Measure the site as a reader meets it, and print the table that stands in the README.

Each figure is the median of ROUNDS rounds, interleaved with a bare page that only loads Pyodide and numpy:
seconds depend on the machine, the ratios hardly do.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from book._tools import browser
from book._tools.serve import SITE
from tests.bench.counting_server import serving

ROUNDS = 5
MOVES = 100
PAGE = "site/why-bugs-hide.html"
FIGURE = "figure[data-demo=bias_update]"
ROOT = SITE.parents[1]

WATCH = """
addEventListener("DOMContentLoaded", () => {
  const figure = document.querySelector("figure.demo");
  if (!figure) return;
  figure.scrollIntoView({ block: "center" });
  new MutationObserver(() => {
    if (figure.dataset.state === "live") window.liveMs ??= performance.now();
  }).observe(figure, { attributes: true });
});
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""

MOVE = """async ([selector, moves]) => {
  const figure = document.querySelector(selector);
  const slider = figure.querySelector("input[type=range]");
  const [low, high] = [Number(slider.min), Number(slider.max)];
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = resolve;
    port2.postMessage(null);
  }));
  const times = [];
  for (let move = 0; move < moves; move++) {
    const frame = new Promise((resolve) => figure.addEventListener("demo:frame", resolve, { once: true }));
    slider.value = low + ((high - low) * ((move * 37) % moves)) / moves;
    const start = performance.now();
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const { detail } = await frame;
    await painted();
    if (detail.source === "live") times.push(performance.now() - start);
  }
  return times;
}"""


def boot(page, address, ready):
    """Open `address` and return the milliseconds from navigation until `ready` holds in the page."""
    page.goto(address)
    return page.wait_for_function(ready, timeout=120_000).json_value()


def start_up(chromium, address, counter):
    """Return times to a live demo and to the bare page's numpy, bytes moved, and layout shift."""
    result = {}
    for name, path, ready in (
        ("bare", "bare.html", "Number(document.documentElement.dataset.bootMs)"),
        ("site", PAGE, "window.liveMs"),
    ):
        context = chromium.new_context()
        context.add_init_script(WATCH)
        page = context.new_page()
        counter.total = 0
        result[f"{name} cold"] = boot(page, address + path, ready)
        result[f"{name} bytes"] = counter.total
        if name == "site":
            result["shift"] = page.evaluate("window.shift")
        result[f"{name} warm"] = boot(page, address + path, ready)
        context.close()
    return result


def readable(chromium, address, counter):
    """Return the bytes that the page moves until it is at rest, while no demo comes into sight."""
    context = chromium.new_context()
    context.add_init_script("IntersectionObserver.prototype.observe = () => {}")  # no demo comes into sight
    counter.total = 0
    context.new_page().goto(address + PAGE, wait_until="networkidle")
    context.close()
    return counter.total


def slider(chromium, address):
    """Return milliseconds from an input event until the browser has painted the frame, for each move."""
    page = chromium.new_page()
    page.add_init_script(WATCH)
    boot(page, address + PAGE, "window.liveMs")
    times = page.evaluate(MOVE, [FIGURE, MOVES])
    page.close()
    return times


def build(clean):
    """Return the seconds that `make html` takes, from nothing built or with nothing changed."""
    if clean:
        shutil.rmtree(SITE.parent, ignore_errors=True)
    start = time.perf_counter()
    subprocess.run(
        ["make", "html"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    return time.perf_counter() - start


def main():
    """Run every measurement and print one table."""
    middle = statistics.median
    with (
        tempfile.TemporaryDirectory() as place,
        serving(SITE, Path(place)) as (address, counter),
        sync_playwright() as playwright,
    ):
        chromium = playwright.chromium.launch(executable_path=browser.find(), args=list(browser.ARGUMENTS))
        rounds = [start_up(chromium, address, counter) for _ in range(ROUNDS)]
        light = readable(chromium, address, counter)
        moves = sorted(slider(chromium, address))
        version = chromium.version
    value = {key: middle(each[key] for each in rounds) for key in rounds[0]}
    ratio = {
        kind: middle(each[f"site {kind}"] / each[f"bare {kind}"] for each in rounds)
        for kind in ("cold", "warm")
    }
    builds = {clean: middle(build(clean) for _ in range(ROUNDS)) for clean in (True, False)}
    print(f"Medians of {ROUNDS}, Chromium {version}, Python {sys.version.split()[0]}; bytes as gzip\n")
    print("| measured | value |\n|---|---|")
    for kind in ("cold", "warm"):
        site, bare = value[f"site {kind}"] / 1000, value[f"bare {kind}"] / 1000
        print(f"| first live demo, {kind} | {site:.2f} s; bare page {bare:.2f} s; ratio {ratio[kind]:.2f} |")
    print(f"| moved before the page is readable | {light / 1e3:.0f} kB |")
    print(f"| moved before the first demo is live | {value['site bytes'] / 1e6:.2f} MB |")
    share = f"median {middle(moves):.1f} ms, 95th percentile {moves[int(0.95 * len(moves))]:.1f} ms"
    print(f"| slider of D1 to drawn frame, {len(moves)} moves | {share} |")
    print(f"| layout shift until live | {value['shift']:.4f} |")
    print(f"| `make html`, nothing built, caches filled | {builds[True]:.1f} s |")
    print(f"| `make html`, nothing changed | {builds[False]:.1f} s |")


if __name__ == "__main__":
    main()
