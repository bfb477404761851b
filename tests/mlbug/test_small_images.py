"""Tests of the small images."""

import pytest

from mlbug.small_images import small_seven


def test_shift_and_slant_keep_the_ink():
    """All variants have nine pixels of ink, within the image."""
    for shift in (-1, 0, 1):
        for slant in (0, 1, 2):
            assert small_seven(shift, slant).sum() == 9


@pytest.mark.parametrize("place", [(2, 0), (0, 3), (0, -1)])
def test_figure_outside_the_image_is_refused(place):
    """What would leave the image is an error that repeats the numbers."""
    with pytest.raises(ValueError, match=str(place[0])):
        small_seven(*place)
