"""The findings say what is above guessing, what was left out, and what small sets cannot show."""

import numpy as np
import pytest
from tests.studies.commonsense.test_tables import pairs, pronouns, scores

from wordworth.studies.commonsense.attention_scores import FROM
from wordworth.studies.commonsense.findings import method, verdict, warnings
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.likelihood_scores import ALONE, WHOLE
from wordworth.studies.commonsense.option_scores import Answers
from wordworth.studies.commonsense.tables import tables_of

FACTS = {"no_head": "", "reads": "masked", "attention": True, "too_long": {"blimp": 2}}


def test_sets_are_counted_where_a_method_is_above_guessing():
    found = verdict(tables_of([pronouns(), pairs()], 0), "mini")
    assert found.numbers["headline"] == "mini is surely above guessing on 1 of 2 sets."
    assert found.numbers["above"] == ["wsc"]
    assert "wsc, 40 items: attention from pronoun 56 % (38 to 72), likelihood 90 % (76 to 97)" in found.text
    assert "surely above it: likelihood." in found.text
    assert "blimp, 30 items: likelihood 50 % (31 to 69); guessing 50 %, nothing surely above it." in found.text


def test_what_could_mislead_is_said():
    answers = [pronouns(), pairs()]
    sets = [answers[0].items, ChoiceSet("blimp", "pairs", answers[1].items.items, "b", "0", 33)]
    found = {finding.name: finding for finding in warnings(tables_of(answers, 0), sets, answers, FACTS)}
    assert found["warning.unusable.blimp"].text == "blimp: 3 rows left out of twice the same sentence."
    assert found["warning.attention.wsc"].text.startswith("wsc: attention answers 36 of 40 items")
    assert "an interval reaches 16 % to either side" in found["warning.small_sets"].text
    assert found["warning.too_long.blimp"].text.startswith("blimp: 2 items with more pieces")
    assert "warning.random" not in found
    assert "warning.no_head" not in found


def test_a_model_without_a_head_and_sets_that_it_cannot_answer():
    answers = [pronouns(), Answers(pairs().items, {}, {}, frozenset())]
    facts = {**FACTS, "no_head": "this model has no language model head"}
    found = {
        each.name: each for each in warnings(tables_of(answers[:1], 0), [a.items for a in answers], answers, facts)
    }
    assert found["warning.no_head"].text.startswith("This model has no language model head: only its attention")
    assert found["warning.silent"].text == "Not asked: blimp."


def test_where_random_weights_do_as_well_it_is_said_and_too_few_items_show_nothing():
    items = ChoiceSet("t", "pronouns", [Choice("a b ", ("a", "b"), "", 0, "it")] * 3, "", "", 3)
    answers = Answers(items, {FROM: scores(2, 3), WHOLE: [np.zeros(2)] * 3}, {FROM: scores(2, 3)}, frozenset())
    tables = tables_of([answers], 0)
    found = {each.name: each for each in warnings(tables, [items], [answers], FACTS)}
    assert found["warning.random"].text.startswith("No method is surely ahead")
    assert (
        found["warning.small_sets"].text
        == "With t nothing can be shown: even if all answers are right, that may be luck."
    )


@pytest.mark.parametrize(("alone", "is_said"), [(60, True), (34, False)])
def test_above_guessing_by_the_endings_alone_is_no_common_sense(alone, is_said):
    items = ChoiceSet("codah", "endings", [Choice("He ", ("ate.", "flew."), "", 0)] * 80, "", "", 80)
    own, random = {WHOLE: scores(64, 80), ALONE: scores(alone, 80)}, {WHOLE: scores(40, 80)}
    answers = Answers(items, own, random, frozenset({ALONE}))
    tables = tables_of([answers], 0)
    assert "1 of 1 set" in verdict(tables, "mini").numbers["headline"]
    found = {each.name: each for each in warnings(tables, [items], [answers], FACTS)}
    assert ("warning.ending_alone" in found) == is_said
    if is_said:
        assert found["warning.ending_alone"].text.startswith("On codah no method is surely ahead of the endings alone")


def test_the_method_says_how_each_kind_of_model_is_asked():
    tables = tables_of([pronouns()], 0)
    for reads, words in (("masked", "pseudo-log-likelihood"), ("causal", "left to right"), ("bidirectional", "both")):
        texts = {each.name: each.text for each in method(tables, {**FACTS, "reads": reads})}
        assert words in texts["method.likelihood"]
        assert "Klein and Nabi" in texts["method.attention"]
    names = {each.name for each in method(tables, {"no_head": "none", "reads": "masked", "attention": False})}
    assert not names & {"method.likelihood", "method.attention"}
