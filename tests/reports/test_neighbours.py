"""The page of a `neighbours` record."""

from tests.studies.neighbours.test_nearest_words import corpus

from wordworth.records import Record, Table
from wordworth.reports import render
from wordworth.studies.neighbours.findings import verdict
from wordworth.studies.neighbours.nearest_words import Nearest, common_rows, context_rows, property_counts
from wordworth.studies.neighbours.study import COMMON, CONTEXTS


def test_contexts_and_what_they_share_are_tables():
    import numpy as np

    near = Nearest(np.arange(1, 20, 2), np.linspace(1, 0.5, 10))
    every = property_counts(corpus(), "cat")
    common, contexts = common_rows(corpus(), "cat", every, (near, near, near)), context_rows(corpus(), near)
    tables = {"contexts": Table.of(contexts, CONTEXTS), "common": Table.of(common, COMMON)}
    data = {"name": "t.csv", "model": "minilm", "sentence": "the [cat] <b>"}
    page = render(Record("neighbours", {}, data, tables, [verdict("cat", common, contexts, (3, 1), (9, 0.02))]))
    assert "word: the same word" in page
    assert "0.2 would pass by luck without the correction" in page
    assert "The nearest words in their contexts" in page
    assert "relation</" not in page
    assert "<b>" not in page.partition("<main>")[0].partition("asked")[2]
