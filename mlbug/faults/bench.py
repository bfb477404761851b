"""Measure the checks: what they find, name and place, what they get wrong, and how long they take."""

import functools
import hashlib
import json
import time
from pathlib import Path

from ..diagnose import diagnose
from ..report import CHECKS
from .planting import draw_faults, plant
from .programs import healthy_models

SHARES = ("found", "named", "placed", "noticed")


def operating_characteristics(healthy=200, faulty=200, seed=0, cache=None, progress=None):
    """Run all checks on healthy and on faulty programs and count.

    Parameters
    ----------
    healthy, faulty : int, optional
        Number of programs without a fault, and with one.
    seed : int, optional
        Seed of all programs.
    cache : path, optional
        Folder in which the outcome of each program is kept, for as long as the package's code is the
        same; a measurement that was stopped goes on from there.
    progress : callable, optional
        Called with the number of programs done and of all.

    Returns
    -------
    dict
        Tables of equal-length columns, ready for JSON. ``checks``: by check, faults meant for it
        (``expected``), the shares ``found``, ``named``, ``placed`` by it, or at least ``noticed``, programs
        without a fault in which it reports one (``false alarms``) or a suspicion (``suspicions``),
        and mean ``seconds``. ``faults``: by kind of fault, how many were ``planted`` and the same shares for
        any of the checks meant for it. ``overall``: the same over all, with the number of ``kinds`` and of
        programs, and the share whose ``first`` fault reported comes from a check meant for it.
    """
    store = _Store(cache)
    total, clean, planted = healthy + faulty, [], []
    for i, program in enumerate(healthy_models(healthy, seed)):
        clean.append(store.get(f"healthy-{seed}-{i}", lambda program=program: _outcome(program)))
        if progress is not None:
            progress(i + 1, total)
    for i, fault in enumerate(draw_faults(faulty, seed)):
        planted.append(
            (fault, store.get(f"{fault.name}-{seed}-{i}", lambda f=fault, i=i: _planted(f, [seed, i])))
        )
        if progress is not None:
            progress(healthy + i + 1, total)
    return {
        "checks": _by_check(clean, planted),
        "faults": _by_fault(planted),
        "overall": _overall(clean, planted),
    }


@functools.cache
def _fingerprint():
    """Return a digest of the package's code."""
    code = hashlib.sha256()
    for path in sorted(Path(__file__).parents[1].rglob("*.py")):
        code.update(path.read_bytes())
    return code.hexdigest()[:16]


class _Store:
    """Outcomes by key, in one file a key, valid for one state of the code."""

    def __init__(self, folder):
        self.folder = None
        if folder is not None:
            self.folder = Path(folder) / _fingerprint()
            self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, key, make):
        path = None if self.folder is None else self.folder / f"{key}.json"
        if path is not None and path.exists():
            return json.loads(path.read_text())
        value = make()
        if path is not None:
            path.write_text(json.dumps(value))
        return value


def _planted(fault, seed):
    program, where = plant(fault, seed)
    return _outcome(program) | {"place": list(where)}


def _outcome(program):
    """Return the alarms of all checks, each as check, status, kind and where, and seconds by check."""
    seconds, clock = dict.fromkeys(CHECKS, 0.0), ["", time.perf_counter()]

    def tick(name):
        now = time.perf_counter()
        if clock[0]:
            seconds[clock[0]] += now - clock[1]
        clock[:] = name, now

    report = diagnose(program.problem(), progress=tick)
    tick("")
    alarms = [
        (f.check, f.status, f.kind, list(f.where))
        for f in report.findings
        if f.status in ("fault", "suspect")
    ]
    return {"alarms": alarms, "first": [f.check for f in report.faults[:1]], "seconds": seconds}


def _hits(fault, outcome, check=None):
    """Return whether the check, or any meant for it, found, named, placed, or at least noticed the fault."""
    meant = fault.checks if check is None else (check,)
    noticed = any(alarm[0] in meant for alarm in outcome["alarms"])
    alarms = [alarm for alarm in outcome["alarms"] if alarm[1] == "fault" and alarm[0] in meant]
    named = any(alarm[2] in fault.kinds for alarm in alarms)
    placed = any(not outcome["place"] or set(alarm[3]) & set(outcome["place"]) for alarm in alarms)
    return bool(alarms), named, placed, noticed


def _shares(pairs, check=None):
    """Return the shares of `_hits` over pairs of fault and outcome; None where there is none."""
    hits = [_hits(fault, outcome, check) for fault, outcome in pairs]
    return [sum(hit[k] for hit in hits) / len(hits) if hits else None for k in range(4)]


def _by_check(clean, planted):
    columns = ("check", "expected", *SHARES, "false alarms", "suspicions", "seconds")
    table = {name: [] for name in columns}
    runs = clean + [outcome for _, outcome in planted]
    for check in CHECKS:
        meant = [pair for pair in planted if check == pair[0].checks[0]]
        row = [check, len(meant), *_shares(meant, check)]
        for status in ("fault", "suspect"):
            row.append(sum(any(a[0] == check and a[1] == status for a in run["alarms"]) for run in clean))
        row.append(sum(run["seconds"][check] for run in runs) / max(len(runs), 1))
        for column, value in zip(table.values(), row, strict=True):
            column.append(value)
    return table


def _by_fault(planted):
    columns = ("fault", "meaning", "group", "checks", "planted", *SHARES)
    table = {name: [] for name in columns}
    for fault in sorted({fault for fault, _ in planted}, key=lambda f: (f.group, f.name)):
        pairs = [pair for pair in planted if pair[0] is fault]
        row = [fault.name, fault.meaning, fault.group, ", ".join(fault.checks), len(pairs), *_shares(pairs)]
        for column, value in zip(table.values(), row, strict=True):
            column.append(value)
    return table


def _overall(clean, planted):
    shares = dict(zip(SHARES, _shares(planted), strict=True))
    first = [bool(outcome["first"]) and outcome["first"][0] in fault.checks for fault, outcome in planted]
    runs = clean + [outcome for _, outcome in planted]
    return {
        "kinds": len({fault.name for fault, _ in planted}),
        "faulty": len(planted),
        "healthy": len(clean),
        **shares,
        "first": sum(first) / max(len(first), 1),
        "false alarms": sum(any(a[1] == "fault" for a in run["alarms"]) for run in clean),
        "suspicions": sum(any(a[1] == "suspect" for a in run["alarms"]) for run in clean),
        "seconds": sum(sum(run["seconds"].values()) for run in runs) / max(len(runs), 1),
    }
