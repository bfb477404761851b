"""Finding the browser that the tests drive."""

import os
import shutil

import pytest

from book._tools import browser
from book._tools.failure import BuildError


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """Stand on a machine without a browser, and collect what would be run."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(browser, "APPLICATIONS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = []
    monkeypatch.setattr(browser.subprocess, "run", lambda command, **_: ran.append(command[2:]))
    return ran


def program(folder, name):
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(0o755)
    return str(folder / name)


def test_a_chosen_browser_goes_first(bare, monkeypatch, tmp_path):
    """CHROMIUM is preferred to what the PATH offers; a path that leads nowhere is not believed."""
    found = program(tmp_path, "chromium")
    chosen = program(tmp_path, "own")
    monkeypatch.setenv("CHROMIUM", chosen)
    assert browser.find() == chosen
    monkeypatch.setenv("CHROMIUM", "/nowhere")
    assert browser.find() == found


def test_root_on_debian_gets_one_installed(bare, monkeypatch, tmp_path):
    """With apt-get and as root, chromium is installed; a browser that is there is left alone."""
    program(tmp_path, "apt-get")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(BuildError, match="install Chromium"):
        browser.main()
    assert [command[0] for command in bare] == ["update", "install"]
    bare.clear()
    program(tmp_path, "chromium")
    browser.main()
    assert bare == []


def test_others_are_told_what_to_install(bare, monkeypatch):
    """Without root nothing is run, and the sentence names the package."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert shutil.which("apt-get") is None
    with pytest.raises(BuildError, match="apt-get install chromium"):
        browser.main()
    assert bare == []
