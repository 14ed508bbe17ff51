"""How it was done: the method in plain words, the measures with their nulls, settings, files, versions, time."""

from __future__ import annotations

from wordworth.pages.context.view import View
from wordworth.pages.method import Method, machine, settings, sources, time_spent
from wordworth.pages.tables import plain


def method(view: View) -> Method:
    """Everything that is needed to do it again."""
    measures = [(str(r["measure"]), str(r["meaning"]), str(r["null"])) for r in view.rows("measures")]
    return Method.of(
        view,
        plain("Measures and their nulls", ("measure", "what it is", "its null"), measures, numeric=False),
        settings(view),
        sources(view, counted="sentences"),
        machine(view),
        time_spent(view, "model"),
    )
