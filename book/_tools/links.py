"""Check the links of the built site: files and fragments exist, and none needs the root of a host."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from book._tools.failure import BuildError, run
from book._tools.serve import SITE

LINKING = ("href", "src", "poster", "data-script")


@dataclass
class Page(HTMLParser):
    """What one page links to, by line, and the names that others can link to."""

    path: Path
    links: list[tuple[int, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in LINKING and value is not None:
                self.links.append((self.getpos()[0], value))
            elif value and (key == "id" or (tag == "a" and key == "name")):
                self.names.add(value)


def check(site: Path) -> list[str]:
    """Return a line of text for each broken link below `site`."""
    pages = {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}
    return [
        f"{page.path.relative_to(site)}:{line}: {link}: {fault}"
        for page in pages.values()
        for line, link in page.links
        if (fault := _fault(page, link, pages))
    ]


def _fault(page: Page, link: str, pages: dict[Path, Page]) -> str | None:
    parts = urlsplit(link)
    if parts.scheme:
        return None
    if parts.netloc or parts.path.startswith("/"):
        return "does not work where the site lies in a sub-folder"
    target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path.resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return "no such file"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
        return "no such element on that page"
    return None


def main() -> None:
    """Check the site in `_build/html`."""
    if not (SITE / "index.html").is_file():
        raise BuildError("The site is not built yet: run `make html` first.")
    if broken := check(SITE):
        raise BuildError("\n".join([f"{len(broken)} broken links in the site:", *broken]))
    print(f"links: all good in {SITE.name}")


if __name__ == "__main__":
    run(main)
