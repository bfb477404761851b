"""A report as plain text."""

import textwrap

import numpy as np

from .causes import consequences

WIDTH = 96


def as_text(report):
    """Return the report as an expert would put it: the root first, then what follows, then what is fine."""
    faults = merged(report.faults)
    follow = [f.kind for f in consequences(report.faults)]
    parts = [headline(report)]
    for i, (finding, checks) in enumerate(faults, start=1):
        note = ", may follow from 1" if i > 1 and finding.kind in follow else ""
        parts.append(_remark(f"{i}. FAULT", finding, f"({checks}{note})"))
    after = ", may follow from 1" if faults else ""
    parts += [_remark("?  SUSPECT", f, f"({checks}{after})") for f, checks in merged(report.of("suspect"))]
    parts.append(_rest(report))
    return "\n\n".join(part for part in parts if part)


def merged(findings):
    """Return each finding once, with the names of all checks that came to it."""
    unique = {}
    for finding in findings:
        unique.setdefault((finding.kind, finding.where, finding.meaning), []).append(finding)
    return [(group[0], ", ".join(f.check for f in group)) for group in unique.values()]


def headline(report):
    """Return one sentence on the whole report."""
    faults, suspects = merged(report.faults), report.of("suspect")
    if not faults:
        beside = f", {_count(len(suspects), 'thing')} to look at" if suspects else ""
        return f"No fault found{beside}."
    root, checks = faults[0]
    place = f" in {', '.join(root.where)}" if root.where else ""
    more = f" Of the {len(faults)} faults it is the one to repair first." if len(faults) > 1 else ""
    return f"Fault{place}, found by the check `{checks.split(', ')[0]}`.{more}"


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


def _remark(mark, finding, note):
    place = f" in {', '.join(finding.where)}" if finding.where else ""
    lines = [f"{mark}{place} {note}", _wrap(finding.meaning)]
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
