"""The `level` directive: one idea told four times, for four kinds of reader.

    :::{level} everyday
    The idea as an everyday picture.
    :::

The levels are `everyday`, `plain`, `practice` and `theory`. A switch above the first one on a page
shows one of them, on every page; without JavaScript all four stand one after another.
"""

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from book._ext.provenance import choose

LEVELS = {
    "everyday": "Everyday picture",
    "plain": "Plain terms",
    "practice": "In practice",
    "theory": "Theory",
}


class LevelSwitch(nodes.General, nodes.Element):
    """The switch between the levels, above the first of them."""


class Level(SphinxDirective):
    """Tell the page's idea at one level."""

    required_arguments = 1
    has_content = True

    def run(self):
        key = choose(self, LEVELS)
        name = nodes.paragraph(LEVELS[key], LEVELS[key], classes=["level-name"])
        told = nodes.container("", name, classes=["level", f"level-{key}"])
        self.state.nested_parse(self.content, self.content_offset, told)
        first = "level" not in self.env.temp_data
        self.env.temp_data["level"] = key
        return [LevelSwitch(), told] if first else [told]


def visit_switch(translator, node):
    """Write the switch; style sheets show it where JavaScript runs."""
    choices = "".join(
        f'<label><input type="radio" name="level" value="{key}"> {said}</label>'
        for key, said in {**LEVELS, "all": "All four"}.items()
    )
    translator.body.append(
        f'<fieldset class="level-switch"><legend>Tell it to me as</legend>{choices}</fieldset>'
    )
    raise nodes.SkipNode


def choose_early(app, pagename, templatename, context, doctree):
    """Load the switch's script in the head, so that a page is first drawn at the level chosen."""
    address = context["pathto"]("_static/level.js", resource=True)
    context["metatags"] = context.get("metatags", "") + f'<script src="{address}"></script>'
