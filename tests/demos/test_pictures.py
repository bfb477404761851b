"""Tests of the demo of a run judged by a number, then by pictures."""

import pytest

from demos import pictures as demo

ALL = {"curve": True, "histogram": True, "predictions": True}
NONE = dict.fromkeys(ALL, False)


def test_the_number_alone_cannot_tell_the_runs_apart():
    """Without pictures the three runs get the same sentence, number and tone."""
    frames = [demo.frame(run=run, **NONE) for run in demo.controls["run"]["options"]]
    assert len({frame["verdict"] for frame in frames}) == 1
    assert {frame["tone"] for frame in frames} == {"plain"}


@pytest.mark.parametrize(
    ("run", "tone", "word"),
    [("sound", "good", "nothing"), ("jagged", "bad", "rises"), ("dead", "bad", "never")],
)
def test_pictures_tell(run, tone, word):
    """With all pictures each faulty run is found by its own fault, and the sound one is cleared."""
    frame = demo.frame(run=run, **ALL)
    assert frame["tone"] == tone
    assert word in frame["verdict"]


def test_only_what_is_looked_at_is_shown():
    """A picture that was not chosen has no rows and no numbers."""
    frame = demo.frame(run="dead", **NONE)
    assert [
        len(frame["tables"][name]["step" if name == "curve" else "from"]) for name in ("curve", "histogram")
    ] == [0, 0]
    assert len(frame["tables"]["predictions"]["target"]) == 0
    assert frame["numbers"]["dead"] == demo.UNSEEN
    assert demo.frame(run="dead", **ALL)["numbers"]["dead"] == pytest.approx(62.5)
