"""A report as HTML, for notebooks and for the command line."""

from html import escape

from .causes import consequences
from .report_text import headline, merged, number

STYLE = """<style>
.mlbug { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; color: inherit; }
.mlbug h3 { font-size: 1.05em; margin: 0 0 .5em; }
.mlbug article { border-left: .25rem solid; padding: .1em 0 .1em .8em; margin: .8em 0; }
.mlbug .fault { border-color: #c2352b; } .mlbug .suspect { border-color: #b7791f; }
.mlbug h4 { margin: 0; font-size: 1em; } .mlbug p { margin: .2em 0; }
.mlbug table { border-collapse: collapse; font-size: .9em; }
.mlbug th { text-align: left; font-weight: normal; padding-right: 1em; vertical-align: top; }
.mlbug td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
</style>"""


def as_html(report):
    """Return the report as an HTML fragment; all text of the user's is escaped."""
    follow = [finding.kind for finding in consequences(report.faults)]
    parts = [f"<h3>{escape(headline(report)).replace('`', '')}</h3>"]
    for i, (finding, checks) in enumerate(merged(report.faults)):
        note = " It may follow from the first." if i and finding.kind in follow else ""
        parts.append(_article("Fault", finding, checks, note))
    parts += [_article("Suspect", finding, checks) for finding, checks in merged(report.of("suspect"))]
    parts += [_list("Fine", report.of("ok")), _list("Not run", report.of("skipped"))]
    return f'{STYLE}<section class="mlbug" aria-label="Report">{"".join(parts)}</section>'


def page(report, title):
    """Return the report as a whole HTML document."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">'
        f"<title>{escape(title)}</title></head><body>{as_html(report)}</body></html>\n"
    )


def _article(word, finding, checks, note=""):
    place = f" in {', '.join(finding.where)}" if finding.where else ""
    rows = "".join(
        f"<tr><th scope='row'>{escape(str(name))}</th><td>{escape(number(value))}</td></tr>"
        for name, value in finding.evidence.items()
    )
    table = f"<details><summary>Evidence</summary><table>{rows}</table></details>" if rows else ""
    step = f"<p><b>Next:</b> {escape(finding.next_step)}</p>" if finding.next_step else ""
    return (
        f'<article class="{finding.status}"><h4>{word}{escape(place)} ({escape(checks)})</h4>'
        f"<p>{escape(finding.meaning)}{escape(note)}</p>{step}{table}</article>"
    )


def _list(word, findings):
    if not findings:
        return ""
    items = "".join(f"<li>{escape(f.check)}: {escape(f.meaning)}</li>" for f in findings if f.meaning)
    return f"<details><summary>{word} ({len(findings)})</summary><ul>{items}</ul></details>"
