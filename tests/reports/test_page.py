"""The head of a page says which columns were guessed, whichever study it is of."""

from dataclasses import replace

from tests.reports.test_probed_layers import record

from wordworth.records import Finding
from wordworth.reports import render


def with_finding(name, numbers):
    made = record(("kind",), edges=False)
    return render(replace(made, findings=[*made.findings, Finding(name, "Columns were guessed.", numbers)]))


def head(page):
    return page.partition('<p class="asked">')[2].partition("</p>")[0]


def test_guessed_columns_stand_in_the_head():
    guessed = {"text": "remark", "label": "</b>stars", "text_b": "other"}
    for name in ("warning.columns", "method.columns"):
        shown = head(with_finding(name, guessed))
        assert "guessed columns: text “remark”, second text “other”, label “&lt;/b&gt;stars”" in shown


def test_where_the_user_named_them_nothing_is_said_of_columns():
    assert "guessed" not in head(render(record(("kind",), edges=False)))
