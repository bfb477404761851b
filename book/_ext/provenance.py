"""The `provenance` directive: says of a passage whose argument it is.

    :::{provenance} book
    :at: p. 437, eq. 11.6
    The passage.
    :::

The source is `book`, `protocol` or `added`.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

SOURCES = {
    "book": "Deep Learning",
    "protocol": "Protocol text",
    "added": "Added here",
}


def source(argument):
    """Check the directive's argument."""
    return directives.choice(argument, tuple(SOURCES))


class Provenance(SphinxDirective):
    """Mark a passage with its source."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"at": directives.unchanged_required}

    def run(self):
        key = source(self.arguments[0])
        place = self.options.get("at", "")
        if key == "book" and not place:
            raise self.error("a passage of the book needs its place, such as `:at: p. 437, eq. 11.6`")
        said = f"{SOURCES[key]}, {place}" if place else SOURCES[key]
        mark = nodes.paragraph(said, said, classes=["provenance-mark"])
        passage = nodes.container("", mark, classes=["passage", f"from-{key}"])
        self.state.nested_parse(self.content, self.content_offset, passage)
        return [passage]
