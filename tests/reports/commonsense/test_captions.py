"""The sentences of the charts stand in the record, whichever kinds of sets it has."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from tests.studies.commonsense.test_tables import pairs, pronouns

from wordworth.records import Table
from wordworth.reports.captions import with_captions
from wordworth.studies.commonsense.findings import verdict
from wordworth.studies.commonsense.tables import tables_of
from wordworth.studies.study import make_record


def record_of(*answers, **other_tables):
    tables = {**tables_of(answers, 0), **other_tables}
    data = {"name": "made up", "model": "mini", "sources": []}
    return with_captions(
        make_record("commonsense", {}, data, tables=tables, findings=[verdict(tables, "mini")], seconds={})
    )


def with_items(answers, **changes):
    return replace(answers, items=replace(answers.items, **changes))


NO_COMPARISONS = Table({"difference": [], "set": []}, {})
RECORDS = {
    "pronouns and pairs": record_of(pronouns(), pairs()),
    "pairs that people have judged": record_of(with_items(pairs(), published={"overall": {"human": 0.9}})),
    "two sets of pronouns": record_of(pronouns(), with_items(pronouns(), name="pdp")),
    "a single method": record_of(pairs(), differences=NO_COMPARISONS),
}


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("of", RECORDS)
def test_the_record_holds_the_sentences_of_its_charts(of, check):
    check(RECORDS[of])


def test_each_kind_of_set_has_a_caption_and_pairs_have_one_of_their_phenomena():
    both = ["scores-pronouns", "scores-pairs", "phenomena-blimp", "differences"]
    assert list(captions(RECORDS["pronouns and pairs"])) == both
    assert list(captions(RECORDS["two sets of pronouns"])) == ["scores-pronouns", "differences"]


def test_of_several_sets_the_caption_says_on_how_many_a_method_is_above_guessing():
    (caption, _) = captions(RECORDS["two sets of pronouns"]).values()
    assert caption.title == "What pronouns stand for: surely above guessing on 2 of 2"


def test_people_are_named_where_their_answers_are_published():
    (judged,) = captions(RECORDS["pairs that people have judged"])["phenomena-blimp"].notes[1:]
    assert judged == "People and GPT-2 as published with the data (means over paradigms)."
    assert not captions(RECORDS["a single method"])["phenomena-blimp"].notes[1:]


def test_a_single_method_is_why_there_are_no_comparisons():
    caption = captions(RECORDS["a single method"])["differences"]
    assert (caption.title, caption.absent) == ("No two methods to compare", "A single method answered.")
