"""A report as plain text."""

import textwrap

import numpy as np

from .causes import consequences

WIDTH = 96


def as_text(report):
    """Return the report as an expert would put it: the root first, then what follows, then what is fine."""
    faults = report.faults
    parts = [headline(report)]
    follow = consequences(faults)
    for i, finding in enumerate(faults, start=1):
        parts.append(_remark(f"{i}. ", "FAULT", finding, "follows from 1?" if finding in follow else ""))
    parts += [_remark("?  ", "SUSPECT", finding) for finding in report.of("suspect")]
    parts.append(_rest(report))
    return "\n\n".join(part for part in parts if part)


def headline(report):
    """Return one sentence on the whole report."""
    faults, suspects = report.faults, report.of("suspect")
    if not faults:
        beside = f", {_count(len(suspects), 'thing')} to look at" if suspects else ""
        return f"No fault found{beside}."
    root = faults[0]
    place = f" in {', '.join(root.where)}" if root.where else ""
    more = f" Of the {len(faults)} faults it is the one to repair first." if len(faults) > 1 else ""
    return f"Fault{place}, found by the check `{root.check}`.{more}"


def number(value, depth=0):
    """Return a value of some evidence in a few characters."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, dict):
        items = [f"{key}: {number(item, depth + 1)}" for key, item in list(value.items())[:8]]
        return "; ".join(items) + ("; ..." if len(value) > 8 else "")
    if isinstance(value, (list, tuple)):
        items = [number(item, depth + 1) for item in value[:8]]
        text = ", ".join(items) + (", ..." if len(value) > 8 else "")
        return f"[{text}]" if depth else text
    return str(value)


def _remark(mark, status, finding, note=""):
    place = f" in {', '.join(finding.where)}" if finding.where else ""
    title = f"{mark}{status}{place} ({finding.check}{', ' + note if note else ''})"
    lines = [title, _wrap(finding.meaning)]
    if finding.next_step:
        lines.append(_wrap(f"Next: {finding.next_step}"))
    lines += [_wrap(f"{name} = {number(value)}", 5, 9) for name, value in finding.evidence.items()]
    return "\n".join(line for line in lines if line)


def _rest(report):
    lines = []
    fine = {}
    for finding in report.of("ok"):
        fine.setdefault(finding.check, []).append(finding.meaning)
    for check, texts in fine.items():
        lines.append(_wrap(f"ok       {check}: " + " ".join(text for text in texts if text), 0, 9))
    for finding in report.of("skipped"):
        lines.append(_wrap(f"skipped  {finding.check}: {finding.meaning}", 0, 9))
    return "\n".join(lines)


def _wrap(text, first=3, rest=None):
    rest = first if rest is None else rest
    return textwrap.fill(text, WIDTH, initial_indent=" " * first, subsequent_indent=" " * rest)


def _count(n, noun):
    return f"{n} {noun}{'' if n == 1 else 's'}"
