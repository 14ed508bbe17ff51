"""The page of a `worth` record: the cheapest text representation that is good enough, with the evidence for it.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not. The ladder is
the list of rungs, cheapest first.
"""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.records import Record
from wordworth.reports.page import render_page
from wordworth.reports.record_view import Row
from wordworth.reports.worth import ladder_table
from wordworth.reports.worth.abstention import abstention
from wordworth.reports.worth.cost_figures import cost_figure, decision_figure
from wordworth.reports.worth.expected_costs import expected_costs
from wordworth.reports.worth.gain_by_difficulty import slices_figure, static_figure
from wordworth.reports.worth.header import MOST_CAUTIONS, caveats, gravest_warnings, header, outlook
from wordworth.reports.worth.learning_curves import curves_figure
from wordworth.reports.worth.method import method_tables
from wordworth.reports.worth.prediction_sets import prediction_sets
from wordworth.reports.worth.probability_scores import probabilities
from wordworth.reports.worth.record_view import WorthView
from wordworth.reports.worth.reliability_diagrams import reliability_figures
from wordworth.reports.worth.scores_by_category import categories_figure, category_scores

_FOLDED = (
    ladder_table.multiples,
    ladder_table.other_metrics,
    probabilities,
    abstention,
    prediction_sets,
    expected_costs,
    category_scores,
    ladder_table.test_sizes,
)
"""Tables below the ladder that are folded at first sight; each is None where the record has nothing for it."""
_FOLD = 280
_SHOWN_LENGTH = 220


@dataclass(frozen=True, slots=True)
class Example:
    """A test example as the page shows it.

    Attributes:
        text: the text.
        beginning: the beginning of a long text, which the reader can unfold; empty for a short text.
        second: the second text of a pair; empty for a single text.
        gold: the gold label.
        predictions: for each of two rungs its title, its prediction, and whether the prediction is correct.
    """

    text: str
    beginning: str
    second: str
    gold: str
    predictions: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """Test texts for which one rung predicts the correct label and the rung compared with it a wrong label.

    Attributes:
        title: the heading, which names the rung that is correct.
        examples: the texts.
    """

    title: str
    examples: tuple[Example, ...]


def page(record: Record) -> str:
    """Return the page of a `worth` record as one self-contained HTML document: answer, evidence, caveats and method."""
    view = WorthView.of(record)
    charts = (curves_figure, decision_figure, cost_figure, slices_figure, categories_figure, static_figure)
    reliability = reliability_figures(view)
    figures = [*(figure for draw in charts if (figure := draw(view)) is not None), *reliability]
    return render_page(
        "worth.html.j2",
        view,
        header(view),
        figures=figures,
        method=method_tables(view),
        figures_of=view.title(view.chosen),
        best_so_far=view.verdict.get("answer") == "cannot tell yet",
        outlook=outlook(view),
        gravest=gravest_warnings(view),
        most_cautions=MOST_CAUTIONS,
        charts={figure.name: figure for figure in figures},
        ladder=ladder_table.ladder(view),
        ladder_notes=ladder_table.notes(view),
        reliability=reliability,
        folded_tables=[table for make in _FOLDED if (table := make(view)) is not None],
        sides=_sides(view),
        static_sentences=view.sentences("static"),
        caveats=caveats(view),
    )


def _sides(view: WorthView) -> tuple[Side, ...]:
    """Return the texts that only one of two rungs predicts correctly, the contextual rung's first; may be empty."""
    rows = view.rows("examples")
    return tuple(_side(view, which, rows) for which in ("contextual", "cheap")) if rows else ()


def _side(view: WorthView, which: str, rows: list[Row]) -> Side:
    examples = tuple(_example(view, row) for row in rows if row["which"] == which)
    return Side(f"Only {view.title(rows[0][f'{which}_rung'])} is right", examples)


def _example(view: WorthView, row: Row) -> Example:
    text = str(row["text"])
    predictions = tuple(
        (view.title(row[f"{rung}_rung"]), _label(row[rung]), rung == row["which"]) for rung in ("cheap", "contextual")
    )
    beginning = f"{text[:_SHOWN_LENGTH].rsplit(' ', 1)[0]}…" if len(text) > _FOLD else ""
    return Example(text, beginning, str(row["second"] or ""), _label(row["gold"]), predictions)


def _label(value: object) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
