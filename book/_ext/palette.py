"""The one palette: CSS, charts and figures take their colors from here.

Pairs of (light, dark). Text pairs reach 4.5:1 and line pairs 3:1 on `paper` in both schemes
(a test computes the contrasts).
"""

COLORS = {
    "paper": ("#fdfcf9", "#15181c"),
    "panel": ("#f5f3ec", "#1d2126"),
    "ink": ("#1c1f24", "#e8e6df"),
    "quiet": ("#5a5f68", "#a5abb4"),
    "rule": ("#dcd8cc", "#343a42"),
    "accent": ("#0b5c8a", "#6cbcec"),
    "sound": ("#0b6fa4", "#58b4e8"),
    "broken": ("#c03f16", "#ff8f66"),
    "theory": ("#6b7078", "#9aa1ab"),
    "third": ("#8a6100", "#e3b341"),
    "fourth": ("#7445b3", "#bd97f2"),
    "good": ("#23713f", "#6fcf8e"),
}


def css_variables() -> str:
    """Return the style sheet that defines every color for both schemes, as furo switches them."""
    light = "".join(f"--c-{name}:{pair[0]};" for name, pair in COLORS.items())
    dark = "".join(f"--c-{name}:{pair[1]};" for name, pair in COLORS.items())
    return (
        f"body{{{light}color-scheme:light}}\n"
        f"body[data-theme=dark]{{{dark}color-scheme:dark}}\n"
        f"@media (prefers-color-scheme:dark){{body:not([data-theme=light]){{{dark}color-scheme:dark}}}}\n"
        f"@media print{{body,body[data-theme]{{{light}color-scheme:light}}}}\n"
    )


def color(name: str) -> str:
    """Return the CSS expression of a color of the palette; an unknown name is a KeyError."""
    COLORS[name]
    return f"var(--c-{name})"
