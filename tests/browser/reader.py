"""A reader of the built site, in a real, headless Chromium."""

import re
from pathlib import Path
from urllib.parse import urlsplit

BOOK = Path(__file__).parents[2] / "book"
START_LIMIT = 90_000  # milliseconds until Python has to run, on a slow and busy machine


def demos_by_page():
    """Return the names of the demos of each page, by the page's address below the site's root."""
    found = {}
    for source in sorted(BOOK.rglob("*.md")):
        names = re.findall(r"^```\{demo\} (\w+)", source.read_text(encoding="utf-8"), re.M)
        if names:
            found[source.relative_to(BOOK).with_suffix(".html").as_posix()] = names
    return found


def pages():
    """Return the addresses of all pages below the site's root."""
    return [p.relative_to(BOOK).with_suffix(".html").as_posix() for p in sorted(BOOK.rglob("*.md"))]


class Reader:
    """A fresh browser of one reader, which keeps a list of everything that went wrong in it."""

    def __init__(self, browser, root, **options):
        self.root = root
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        self.page = self.context.new_page()
        self.troubles = []
        self.addresses = []
        self.page.on("pageerror", lambda error: self.troubles.append(f"error: {error}"))
        self.page.on("console", self._console)
        self.context.on("request", lambda request: self.addresses.append(request.url))
        self.context.on("response", self._response)

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.troubles.append(f"console: {message.text}")

    def _response(self, response):
        if response.status >= 400:
            self.troubles.append(f"{response.status}: {response.url}")

    def strangers(self):
        """Return the addresses asked for that are not the site's own."""
        own = urlsplit(self.root).netloc
        return [
            a for a in self.addresses if urlsplit(a).netloc != own and not a.startswith(("data:", "blob:"))
        ]

    def open(self, page):
        self.page.goto(self.root + page)
        self.page.evaluate(
            "window.frames_seen = []; addEventListener('demo:frame', (e) => frames_seen.push("
            "{demo: e.target.dataset.demo, ...e.detail}))"
        )

    def figure(self, demo):
        return self.page.locator(f"figure.demo[data-demo={demo}]").first

    def wake(self, demo, state="live"):
        """Bring a demo near the screen and wait for its state."""
        figure = self.figure(demo)
        figure.scroll_into_view_if_needed()
        self.page.wait_for_function(
            """([name, state]) => document.querySelector(`[data-demo=${name}]`).dataset.state === state
                && (state !== 'live' || frames_seen.some((f) => f.demo === name && f.source === 'live'))""",
            arg=[demo, state],
            timeout=START_LIMIT,
        )
        return figure

    def frames(self, demo):
        return self.page.evaluate("(name) => frames_seen.filter((f) => f.demo === name)", demo)

    def settled(self, demo, after):
        """Wait until the demo has drawn more than `after` frames."""
        self.page.wait_for_function(
            "([name, after]) => frames_seen.filter((f) => f.demo === name).length > after",
            arg=[demo, after],
            timeout=START_LIMIT,
        )

    def close(self):
        self.context.close()
