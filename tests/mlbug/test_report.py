"""Tests of reports: order, text, HTML and JSON."""

import json

import numpy as np
import pytest

from mlbug.causes import by_telling, consequences
from mlbug.report import Finding, Report, plain
from mlbug.report_html import page

ROOT = Finding(
    "updates", "fault", ("b1",), {"residual": 0.89}, "b1 ignores its gradient.", "Use it.", "ignores-gradient"
)
SYMPTOM = Finding(
    "train-test", "fault", ("W1",), {"losses": [1.0, np.inf]}, "The loss grows.", "See.", "diverges"
)
STOP = Finding("setup", "fault", ("inputs",), {}, "NaN.", "Fill in.", "not-finite")
DATA = Finding("data", "fault", ("targets",), {}, "Out of step.", "Join.", "label-shift")
FINE = Finding("data", "ok", meaning="Nothing stands out.")
DOUBT = Finding(
    "data", "suspect", ("inputs",), {"n": np.int64(3)}, "Not scaled.", "Scale.", "unscaled-inputs"
)
SKIPPED = Finding("activations", "skipped", meaning="There are none.")


def test_root_comes_before_its_symptoms():
    """Whatever order the checks ran in, what stops everything is first and symptoms are last."""
    assert by_telling([SYMPTOM, ROOT, DATA, STOP]) == [STOP, DATA, ROOT, SYMPTOM]
    assert Report([SYMPTOM, FINE, ROOT]).faults == [ROOT, SYMPTOM]


def test_consequences_are_symptoms_and_repeats():
    """A divergence follows from the wrong update, an unrelated fault of the data does not."""
    assert consequences([ROOT, DATA, SYMPTOM]) == [SYMPTOM]
    assert consequences([]) == []


def test_text_names_place_meaning_and_next_step():
    """The text opens with the root and gives the numbers it rests on."""
    text = str(Report([SYMPTOM, FINE, ROOT, DOUBT, SKIPPED]))
    assert text.startswith(
        "Fault in b1, found by the check `updates`. Of the 2 faults it is the one to repair first."
    )
    assert text.index("b1 ignores its gradient.") < text.index("The loss grows.") < text.index("Not scaled.")
    assert "Next: Use it." in text
    assert "residual = 0.89" in text
    assert "losses = 1, inf" in text
    assert "skipped  activations: There are none." in text


def test_clean_report_says_so():
    """Without a fault the first words are that there is none."""
    assert str(Report([FINE])).startswith("No fault found.")
    assert str(Report([FINE, DOUBT])).startswith("No fault found, 1 thing to look at.")


def test_json_is_strict_and_complete():
    """NaN, infinities and numpy types come through a strict parser, and faults are positions."""
    odd = Finding(
        "data", "fault", ("x",), {"a": np.nan, "b": np.array([1.0, -np.inf]), "c": {"d": np.float32(0.5)}}
    )
    document = json.loads(Report([FINE, SYMPTOM, odd]).to_json(), parse_constant=pytest.fail)
    assert document["faults"] == [2, 1]
    assert document["findings"][2]["evidence"] == {"a": "nan", "b": [1.0, "-inf"], "c": {"d": 0.5}}
    assert set(document["findings"][0]) == {
        "check",
        "status",
        "where",
        "evidence",
        "meaning",
        "next_step",
        "kind",
    }


def test_plain_keeps_json_types():
    """Numbers stay numbers, and what JSON has not becomes text."""
    assert plain({1: (True, None, 2, "a", np.bool_(True), 1 + 2j)}) == {
        "1": [True, None, 2, "a", True, "(1+2j)"]
    }


def test_html_escapes_what_users_name():
    """A parameter called like a script tag stays text, in fragment and page."""
    bad = Finding("updates", "fault", ("<script>",), {"<b>": "</td>"}, "<i>x</i> & y", "<u>", "k")
    fragment = Report([bad, SKIPPED])._repr_html_()
    assert "<script>" not in fragment
    assert "&lt;i&gt;x&lt;/i&gt; &amp; y" in fragment
    assert "<title>&lt;f&gt;</title>" in page(Report([bad]), "<f>")


@pytest.mark.parametrize(("check", "status"), [("gradient", "ok"), ("data", "bad")])
def test_unknown_check_or_status_is_refused(check, status):
    """A finding of a check or status that does not exist is a defect of the check."""
    with pytest.raises(ValueError, match=repr(status)):
        Finding(check, status)


def test_one_remark_of_two_checks_is_told_once():
    """A remark that two checks share appears once, with both names; JSON keeps both."""
    twins = [
        Finding(check, "fault", ("l2",), {}, "Too strong.", "Lower it.", "k")
        for check in ("train-test", "tiny-dataset")
    ]
    text = str(Report(twins))
    assert text.count("Too strong.") == 1
    assert "(train-test, tiny-dataset)" in text
    assert Report(twins)._repr_html_().count("Too strong.") == 1
    assert len(json.loads(Report(twins).to_json())["findings"]) == 2
