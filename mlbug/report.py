"""What the checks found, as text, HTML and JSON."""

import html
import json
from dataclasses import asdict, dataclass, field

import numpy as np

CHECKS = (
    "setup", "data", "worst-mistakes", "train-test", "tiny-dataset", "gradients", "updates", "activations",
    "guarantees",
)  # fmt: skip
STATUSES = ("ok", "suspect", "fault", "skipped")


@dataclass(frozen=True)
class Finding:
    """One remark of one check.

    Parameters
    ----------
    check : str
        Name of the check, one of ``CHECKS``.
    status : str
        ``"ok"``, ``"suspect"``, ``"fault"`` or ``"skipped"``.
    where : tuple of str
        Parameters, layers, group keys or values concerned; ``"inputs"``, ``"targets"``; empty if not local.
    evidence : dict
        The numbers that the finding rests on, by name.
    meaning : str
        One or two sentences: what the numbers say.
    next_step : str
        What to do about it; empty where there is nothing to do.
    kind : str
        Short stable name of the fault, for programs.
    """

    check: str
    status: str
    where: tuple[str, ...] = ()
    evidence: dict[str, object] = field(default_factory=dict)
    meaning: str = ""
    next_step: str = ""
    kind: str = ""

    def __post_init__(self):
        if self.check not in CHECKS or self.status not in STATUSES:
            raise ValueError(f"no such check or status: {self.check!r}, {self.status!r}")
        object.__setattr__(self, "where", tuple(str(place) for place in self.where))


class Report:
    """Findings in the order in which the checks ran.

    Parameters
    ----------
    findings : iterable of Finding
        What the checks returned.
    """

    def __init__(self, findings):
        self.findings = list(findings)

    @property
    def faults(self):
        """The faults, the most telling (the likely root of the others) first."""
        return [finding for finding in self.findings if finding.status == "fault"]

    def to_json(self, indent=2):
        """Return the report as a JSON document (str); NaN and infinities become strings."""
        faults = self.faults
        document = {
            "faults": [self.findings.index(finding) for finding in faults],
            "findings": [plain(asdict(finding)) for finding in self.findings],
        }
        return json.dumps(document, indent=indent, allow_nan=False)

    def __str__(self):
        return "\n\n".join(_as_text(f) for f in self.findings)

    def _repr_html_(self):
        return "<pre>" + html.escape(str(self)) + "</pre>"


def plain(value):
    """Return `value` in the types that JSON has."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, type(None))) else str(value)


def _as_text(finding):
    lines = [
        f"{finding.status.upper()}  {finding.check}"
        + (f": {', '.join(finding.where)}" if finding.where else "")
    ]
    lines += [f"  {text}" for text in (finding.meaning, finding.next_step) if text]
    lines += [f"    {name} = {value}" for name, value in finding.evidence.items()]
    return "\n".join(lines)
