"""The `provenance` directive: says of a passage whose argument it is.

    :::{provenance} book
    :at: p. 437, eq. 11.6
    The passage.
    :::

The source is `book`, `protocol` or `added`. A page with a `provenance-list` lists every mark of the
course, made by the build.
"""

from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

SOURCES = {
    "book": "Deep Learning",
    "protocol": "Protocol text",
    "added": "Added here",
}


def choose(directive, choices):
    """Return a directive's argument, which has to be one of the choices."""
    try:
        return directives.choice(directive.arguments[0], tuple(choices))
    except ValueError as error:
        raise directive.error(str(error)) from error


class Provenance(SphinxDirective):
    """Mark a passage with its source."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"at": directives.unchanged_required}

    def run(self):
        key = choose(self, SOURCES)
        place = self.options.get("at", "")
        if key == "book" and not place:
            raise self.error("a passage of the book needs its place, such as `:at: p. 437, eq. 11.6`")
        said = f"{SOURCES[key]}, {place}" if place else SOURCES[key]
        target = f"passage-{self.env.new_serialno('passage')}"
        mark = nodes.paragraph(said, said, classes=["provenance-mark"])
        passage = nodes.container("", mark, classes=["passage", f"from-{key}"], ids=[target])
        self.state.nested_parse(self.content, self.content_offset, passage)
        paragraphs = list(passage.findall(nodes.paragraph))[1:]
        begins = " ".join(paragraphs[0].astext().split()[:9]) if paragraphs else "Formula or figure"
        marks(self.env).setdefault(self.env.docname, []).append((said, target, begins))
        return [passage]


class ListNode(nodes.General, nodes.Element):
    """The place of the list until all pages are read."""


class ProvenanceList(SphinxDirective):
    """List every mark of the course, page by page."""

    def run(self):
        return [ListNode()]


def marks(env):
    """Return the marks found so far: by page, what each says, its anchor, and how its passage begins."""
    if not hasattr(env, "provenance_marks"):
        env.provenance_marks = {}
    return env.provenance_marks


def purge(app, env, docname):
    """Forget a page's marks before it is read again."""
    marks(env).pop(docname, None)


def merge(app, env, docnames, other):
    """Take over the marks that another process found in its pages."""
    marks(env).update({page: found for page, found in marks(other).items() if page in docnames})


def pages_with_list(app, env):
    """Have the pages with a list written again, since any page may have changed a mark."""
    return [page for page in env.all_docs if next(env.get_doctree(page).findall(ListNode), None)]


def fill_lists(app, doctree, docname):
    """Put the list in its place."""
    for place in list(doctree.findall(ListNode)):
        place.replace_self([part for page in app.env.all_docs for part in _of_page(app, docname, page)])


def _of_page(app, docname, page):
    found = marks(app.env).get(page, [])
    if not found:
        return []
    items = nodes.bullet_list()
    for said, target, begins in found:
        link = make_refnode(app.builder, docname, page, target, nodes.Text(f"{begins} …"))
        items += nodes.list_item("", nodes.paragraph("", "", nodes.strong("", said), nodes.Text(": "), link))
    return [nodes.rubric("", app.env.titles[page].astext()), items]
