"""The page of a `context` record: every measure by layer beside its null, the words context changes, and each word."""

from __future__ import annotations

from wordworth.pages.context import panels
from wordworth.pages.context.answer import answer
from wordworth.pages.context.explorer import explorer
from wordworth.pages.context.method import method
from wordworth.pages.context.view import View
from wordworth.pages.context.words import extremes, note
from wordworth.pages.document import document
from wordworth.pages.figure import pointers
from wordworth.records import Record


def page(record: Record) -> str:
    """One self-contained HTML document: the answer, a panel a measure, the words, the doubt, the method."""
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
