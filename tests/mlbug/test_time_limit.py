"""Tests of the time limit."""

import signal
import threading
import time

import pytest

from mlbug.time_limit import TimeUp, time_limit


def spin(seconds):
    """Keep the interpreter busy."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_long_body_is_stopped():
    """A busy loop ends soon after its time is up."""
    start = time.monotonic()
    with pytest.raises(TimeUp), time_limit(0.1):
        spin(30.0)
    assert time.monotonic() - start < 5.0


def test_short_body_is_left_alone():
    """A body within its time is not touched, also not after it has ended."""
    with time_limit(0.05):
        result = 1
    time.sleep(0.1)
    assert result == 1


def test_handler_of_the_caller_comes_back():
    """A handler for the alarm that was set before is set again afterwards."""
    before = signal.signal(signal.SIGALRM, lambda *args: None)
    mine = signal.getsignal(signal.SIGALRM)
    try:
        with time_limit(1.0):
            assert signal.getsignal(signal.SIGALRM) is not mine
        assert signal.getsignal(signal.SIGALRM) is mine
    finally:
        signal.signal(signal.SIGALRM, before)


def test_other_threads_are_stopped_too():
    """Outside the main thread the limit holds as well."""
    seen = []

    def work():
        try:
            with time_limit(0.1):
                spin(30.0)
        except TimeUp:
            seen.append("stopped")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10.0)
    assert seen == ["stopped"]


def test_infinite_limit_sets_no_alarm():
    """With an infinite limit no timer runs."""
    with time_limit(float("inf")):
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
