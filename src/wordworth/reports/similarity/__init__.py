"""The page of a `similarity` record: what each kind of word pair contributes to the cosines of pairs of texts.

The page also has a map for each pair of texts: what each two words contribute to the cosine.
"""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView
from wordworth.reports.similarity.query_words import query_figure
from wordworth.reports.similarity.record_view import pairs_with_words
from wordworth.reports.similarity.tables import pairs, word_shares
from wordworth.reports.similarity.word_contributions import pair_figure
from wordworth.reports.similarity.word_pair_kinds import kinds_figure, weights_figure


def page(record: Record) -> str:
    """Return the page of a `similarity` record as one self-contained HTML document."""
    view = RecordView.of(record)
    over_pairs = [kinds_figure(view)] if view.rows("kinds") else []
    if view.rows("random_weights"):
        over_pairs.append(weights_figure(view))
    groups = [("What the cosines are made of", over_pairs)] if over_pairs else []
    if view.rows("query_words"):
        groups.append(("What the nearest texts match", [query_figure(view)]))
    figures = [pair_figure(view, pair) for pair in pairs_with_words(view)]
    if figures:
        groups.append(("Word by word", figures))
    tables = [grid for grid in (word_shares(view), pairs(view)) if grid is not None]
    question = f"Why texts match · {view.data['model']}"
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)
