"""The page of a knowledge graph: ranks beside frequency, the training, relations, and examples, all escaped."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from changed import with_table
from tests.studies.knowledge_graph.conftest import trained  # noqa: F401 - a fixture

from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(trained, check):  # noqa: F811
    check(trained[2])


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_of_many_relations_the_caption_says_how_many_are_drawn(trained, check):  # noqa: F811
    record, relations = trained[2], trained[2].tables["relations"]
    many = [{**relations.rows()[0], "relation": f"relation {number}"} for number in range(13)]
    of_many = with_captions(with_table(record, "relations", Table.of(many, relations.describe)))
    assert captions(record)["relations"].title == "By relation"
    assert captions(of_many)["relations"].title == "The 12 relations that most test triples have"
    check(of_many)


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
