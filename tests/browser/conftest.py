"""The built site in a real, headless Chromium."""

import threading

import pytest
from playwright.sync_api import sync_playwright

from book._tools.browser import ARGUMENTS, find
from book._tools.serve import SITE, open_server
from tests.browser.reader import Reader


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def address():
    """The root of the served site."""
    with open_server(SITE, 8700) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def new_reader(chromium, address):
    """Make readers; none of their troubles is looked at."""
    readers = []

    def make(root=address, **options):
        readers.append(Reader(chromium, root, **options))
        return readers[-1]

    yield make
    for reader in readers:
        reader.close()


@pytest.fixture
def reader(new_reader):
    """A reader who must meet no error, no warning and no other host."""
    reader = new_reader()
    yield reader
    assert reader.troubles == []
    assert reader.strangers() == []
