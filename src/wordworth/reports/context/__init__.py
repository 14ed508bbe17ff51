"""The page of a `context` record: each measure by layer with its null, the words that context changes, single words."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.context import panels
from wordworth.reports.context.answer import answer
from wordworth.reports.context.explorer import explorer
from wordworth.reports.context.method import method
from wordworth.reports.context.view import View
from wordworth.reports.context.words import extremes, note
from wordworth.reports.figure import pointers
from wordworth.reports.html import document


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, a panel for each measure, the words, the caveats, the method."""
    view = View.of(record)
    head, groups = answer(view), panels.groups(view)
    return document(
        "context.html.j2",
        scripts=("explorer.js",),
        title=f"{head.headline} · {record.data['name']}",
        answer=head,
        groups=groups,
        grey=bool(view.rows("published")),
        words=extremes(view),
        words_note=note(view),
        explorer=explorer(view),
        doubts=view.sentences("warning"),
        method=method(view),
        pointers=pointers(figure for group in groups for figure in group.figures),
    )
