"""The top of the page: verdict, figures and cautions."""

from __future__ import annotations

import dataclasses
import re

import pytest
from elements import named
from example_record import Shape, example
from worth_pages import drawn

from wordworth.records import Finding
from wordworth.reports import render


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


def test_the_verdict_comes_first_with_its_four_figures(page: str) -> None:
    assert named(page, "h1")[0].text.replace("\u2060", "") == "Keep TF-IDF."
    assert [tile.text for tile in named(page, "dt")] == [
        "accuracy", "texts a second", "price of a million texts", "size on disk",
    ]  # fmt: skip
    assert page.index("Keep TF-\u2060IDF.") < page.index("<svg") < page.index("How it was done")


def test_scores_stand_in_points_for_every_metric() -> None:
    tiles = [named(render(example(Shape(kind="regression", metric="spearman"))), "dd")[0].text]
    assert re.fullmatch(r"\d\d\.\d", tiles[0])


def test_the_best_rung_is_not_called_the_verdicts_where_there_is_none() -> None:
    assert "the best so far" in drawn("cannot tell")
    assert "named by the verdict" not in drawn("cannot tell")


WARNINGS = ("limit", "columns", "overlap", "a", "b", "c")


def page_with_warnings() -> str:
    """Return the page of the example with these warnings alone."""
    record, warnings = example(), [Finding(f"warning.{name}", f"About {name}.") for name in WARNINGS]
    others = [finding for finding in record.findings if "warn" not in finding.name]
    return render(dataclasses.replace(record, findings=[*others, *warnings]))


def test_warnings_stand_near_the_verdict_the_gravest_first() -> None:
    html = page_with_warnings()
    top = html[: html.index('id="evidence"')]
    assert top.index("About overlap.") < top.index("About columns.") < top.index("About limit.")
    assert ">2 more</a>" in top


def test_a_label_in_the_texts_stands_before_words_without_a_vector() -> None:
    record = example()
    warnings = [Finding(f"warning.{name}", f"About {name}.") for name in ("unread.glove", "leak_text")]
    html = render(dataclasses.replace(record, findings=[*record.findings, *warnings]))
    assert html.index("About leak_text.") < html.index("About unread.glove.") < html.index('id="evidence"')


def test_a_warning_stands_once_on_the_page_under_the_verdict_or_at_the_end() -> None:
    html = page_with_warnings()
    assert [html.count(f"About {name}.") for name in WARNINGS] == [1] * len(WARNINGS)
    end = html[html.index('id="doubt"') :]
    assert "About b." in end
    assert "The gravest warnings stand under the verdict." in end


def test_a_plan_that_was_not_kept_to_is_told_beside_the_verdict() -> None:
    others = [Finding(f"warning.{name}", f"About {name}.") for name in ("groups", "time", "overlap", "a", "b")]
    broken = Finding("warning.preregistration", "This study did not keep to the plan.")
    record = example()
    html = render(dataclasses.replace(record, findings=[*record.findings, *others, broken]))
    top = html[: html.index('id="evidence"')]
    assert top.index("This study did not keep to the plan.") < top.index("About groups.")


def test_the_first_line_counts_classes_and_the_rows_used_of_those_in_the_file() -> None:
    record = example()
    limit = Finding("warning.limit", "1,000 of 9,000 rows were used.", {"used": 1_000, "file_rows": 9_000})
    html = render(dataclasses.replace(record, findings=[*record.findings, limit]))
    assert "4,866 of 9,000 texts to classify · 2 classes" in html


def test_a_rung_below_guessing_is_told_first_under_before_you_trust_it() -> None:
    others = [Finding(f"warning.{name}", f"About {name}.") for name in ("limit", "a", "b", "c", "d")]
    below = Finding("warning.below_guessing", "GloVe (30.0) scores less than always saying “yes” (60.0).")
    record = example()
    html = render(dataclasses.replace(record, findings=[*record.findings, *others, below]))
    cautions = html[html.index("Before you trust it") :].partition("</div>")[0]
    assert cautions.index("scores less than always saying") < cautions.index("About limit.")


def test_a_rung_that_cut_texts_is_among_the_cautions() -> None:
    cut = Finding("warning.cut.minilm-finetuned", "MiniLM (fine-tuned) reads at most 64 tokens of a text.", {"cut": 3})
    record = example()
    html = render(dataclasses.replace(record, findings=[*record.findings, cut]))
    assert cut.text in html[: html.index('id="evidence"')]


def test_what_would_decide_an_open_verdict_stands_in_a_paragraph_of_its_own():
    plain = example(Shape(answer="cannot tell yet"))
    first = "With 100 labels, TF-IDF is 1.0 point behind MiniLM."
    then = "By these labels alone, a definite answer has a probability of 9 % with 400 labelled rows in all."
    verdict = dataclasses.replace(plain.findings[0], text=f"{first} {then}")
    html = render(dataclasses.replace(plain, findings=[verdict, *plain.findings[1:]]))
    paragraphs = {one.attributes.get("class"): one.text.replace("\u2060", "") for one in named(html, "p")}
    assert (paragraphs["sentences"], paragraphs["outlook"]) == (first, then)
    assert ", the rung with the best score so far. It is one rung" in paragraphs["whose"]
