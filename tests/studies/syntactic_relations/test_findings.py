"""The sentences of the study, with many, one and no relation that has a head of its own."""

import pytest

from wordworth.records import Table
from wordworth.studies.syntactic_relations.findings import method, verdict, warnings
from wordworth.studies.syntactic_relations.tables import RELATIONS

FACTS = {"too_long": 0, "documents": 2, "sentences": 4}


def tables(ahead, random=()):
    base = dict.fromkeys(RELATIONS, 0.1) | {"layer": 3, "head": 1, "direction": "from dependent", "offset": -1}
    names = ("all", "det", "nsubj", "obj")
    rows = [
        {**base, "relation": name, "accuracy": 0.7, "ahead": name in ahead, "random_ahead": name in random}
        for name in names
    ]
    return {"relations": Table.of(rows, RELATIONS)}


@pytest.mark.parametrize(
    ("ahead", "headline"),
    [
        (("det", "obj"), "2 of 3 relations have a head of their own."),
        (("det",), "1 of 3 relations has a head of its own."),
        ((), "No relation has a head of its own."),
        (("all",), "No relation has a head of its own."),
    ],
)
def test_the_headline_counts_relations_that_have_a_head(ahead, headline):
    found = verdict(tables(ahead), 50)
    assert found.numbers["headline"] == headline
    assert ("The largest leads" in found.text) == bool({*ahead} - {"all"})
    assert "the best single head finds 70 %" in found.text


def test_relations_on_which_random_weights_pass_are_warned_of():
    names = [finding.name for finding in warnings(tables((), random=("det",)), FACTS)]
    assert "warning.random" in names
    assert "warning.random" not in [finding.name for finding in warnings(tables(()), FACTS)]


def test_where_no_relation_was_measured_that_is_said_and_not_that_none_has_a_head():
    every = tables(("all",))["relations"].rows()[:1]
    found = verdict({"relations": Table.of(every, RELATIONS)}, 50)
    assert found.numbers["headline"] == "No relation has 50 words in both halves, so that none was measured."
    assert "of 0" not in found.text


@pytest.mark.parametrize(
    ("documents", "words"), [(2, "sentences are divided"), (19, "sentences are divided"), (20, "too short"), (60, None)]
)
def test_few_documents_are_warned_of(documents, words):
    facts = {**FACTS, "documents": documents}
    found = [each.text for each in warnings(tables(()), facts) if each.name == "warning.documents"]
    assert len(found) == (words is not None)
    assert all(words in text for text in found)
    (halves,) = [each.text for each in method(facts, ["all", "det"], 50) if each.name == "method.halves"]
    assert ("over sentences" in halves) == (documents < 20)


def test_how_many_relations_would_pass_by_luck_is_said():
    finding = verdict(tables(("det",), random=("obj",)), 50)
    assert (
        "With random weights 1 of 3 are ahead; were no head better than the offset, 0.1 would pass by" in finding.text
    )
