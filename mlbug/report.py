"""What the checks found, as text, HTML and JSON."""

import json
from dataclasses import asdict, dataclass, field

import numpy as np

from .causes import by_telling
from .report_html import as_html
from .report_text import as_text

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

    It prints as text, shows itself as HTML in a notebook, and gives JSON.

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
        return by_telling(finding for finding in self.findings if finding.status == "fault")

    def of(self, status):
        """Return the findings of one status, in the order in which they came."""
        return [finding for finding in self.findings if finding.status == status]

    def to_json(self, indent=2):
        """Return the report as a JSON document (str); NaN and infinities become strings.

        ``faults`` holds positions in ``findings``, the most telling first.
        """
        positions = {id(finding): i for i, finding in enumerate(self.findings)}
        document = {
            "faults": [positions[id(finding)] for finding in self.faults],
            "findings": [plain(asdict(finding)) for finding in self.findings],
        }
        return json.dumps(document, indent=indent, allow_nan=False, ensure_ascii=False)

    def __str__(self):
        return as_text(self)

    def _repr_html_(self):
        return as_html(self)


def plain(value):
    """Return `value` in the types that JSON has."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value if isinstance(value, (str, int, float, type(None))) else str(value)
