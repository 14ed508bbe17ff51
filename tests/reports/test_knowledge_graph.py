"""The page of a knowledge graph: ranks beside frequency, the training, relations, and examples, all escaped."""

from dataclasses import replace

from tests.studies.knowledge_graph.conftest import trained  # noqa: F401 - a fixture

from wordworth.records import Table
from wordworth.reports import render


def test_ranks_training_relations_and_examples_are_on_the_page(trained):  # noqa: F811
    _, _, record = trained
    page = render(record)
    for words in (
        "in the first ten",
        "by frequency",
        "at the step kept",
        "after_next",
        "Test triples, drawn at random",
    ):
        assert words in page


def test_names_are_escaped(trained):  # noqa: F811
    _, _, record = trained
    rows = [{**row, "head": "<img src=x>", "answers": ["<b>e</b>"]} for row in record.tables["examples"].rows()]
    tables = {**record.tables, "examples": Table.of(rows, record.tables["examples"].describe)}
    page = render(replace(record, tables=tables))
    assert "<img src=x>" not in page
    assert "<b>e</b>" not in page
