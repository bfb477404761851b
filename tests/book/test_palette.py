"""The palette can be read in both schemes."""

import pytest

from book._ext.palette import COLORS, color, css_variables

TEXT = ("ink", "quiet", "accent")


def luminance(shade):
    """Relative luminance of a hex color (WCAG 2.2)."""
    parts = [int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("name", sorted(set(COLORS) - {"paper", "panel", "rule"}))
def test_contrast(scheme, name):
    """Text reaches 4.5:1 and lines 3:1, on paper and on panels."""
    least = 4.5 if name in TEXT else 3.0
    for ground in ("paper", "panel"):
        assert contrast(COLORS[name][scheme], COLORS[ground][scheme]) >= least


def test_an_unknown_color_is_an_error():
    """A misspelled name does not become a color that is not there."""
    assert color("ink") == "var(--c-ink)"
    with pytest.raises(KeyError):
        color("inky")


def test_every_color_has_its_variable_in_both_schemes():
    """The style sheet defines each name for light and for dark."""
    sheet = css_variables()
    for name, (light, dark) in COLORS.items():
        assert f"--c-{name}:{light};" in sheet
        assert f"--c-{name}:{dark};" in sheet
