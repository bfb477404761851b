"""Stop a function of the user's that runs without end."""

import ctypes
import signal
import sys
import threading


class TimeUp(BaseException):
    """Raised inside a call that has used up its time.

    A `BaseException`, so that ``except Exception`` in the called code does not swallow it.
    """


class time_limit:
    """Context manager that raises `TimeUp` in its body after a number of seconds.

    The main thread uses an interval timer, any other thread a watchdog that raises between two
    bytecodes. Where neither exists (Python in the browser) the body runs unlimited: there the page
    can stop its worker.

    Parameters
    ----------
    seconds : float
        Allowed wall-clock time in seconds; ``inf`` switches the limit off.
    """

    def __init__(self, seconds):
        self.seconds = float(seconds)
        self.kind = _mechanism() if self.seconds < float("inf") else None

    def __enter__(self):
        if self.kind == "signal":
            self.previous = signal.signal(signal.SIGALRM, _raise_time_up)
            # the second number fires again where the called code caught the first exception
            self.outer = signal.setitimer(signal.ITIMER_REAL, self.seconds, 0.1)
        elif self.kind == "thread":
            self.timer = threading.Timer(self.seconds, _interrupt, [threading.get_ident()])
            self.timer.daemon = True
            self.timer.start()
        return self

    def __exit__(self, *exc_info):
        if self.kind == "signal":
            signal.setitimer(signal.ITIMER_REAL, *self.outer)
            signal.signal(signal.SIGALRM, self.previous)
        elif self.kind == "thread":
            self.timer.cancel()


def _mechanism():
    """Name the way in which this thread can be interrupted, or None."""
    if sys.platform == "emscripten":
        return None
    if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
        return "signal"
    return "thread"


def _raise_time_up(signum, frame):
    raise TimeUp


def _interrupt(thread_id):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread_id), ctypes.py_object(TimeUp))
