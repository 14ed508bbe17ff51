"""The page of a `relations` record: a row for each relation, a square for each head."""

import pytest
from caption_checks import CAPTION_CHECKS
from changed import with_table

from wordworth.records import Finding, Record, Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.syntactic_relations.coreference import COREFERENCE
from wordworth.studies.syntactic_relations.tables import HEADS, RELATIONS

ENDS = {f"{prefix}{end}": 0.1 for prefix in ("", "offset_", "random_", "gap_") for end in ("low", "high")}
ROW = {
    **dict.fromkeys(RELATIONS, 0.1), **ENDS, "words": 90, "layer": 2, "head": 3, "direction": "to dependent",
    "accuracy": 0.8, "offset": -2, "ahead": True, "random_ahead": False,
}  # fmt: skip

PRONOUNS = dict.fromkeys(COREFERENCE, 0.1) | {
    "sentences": 1_234, "layer": 5, "head": 4, "direction": "to pronoun", "accuracy": 0.61, "rule": "first candidate",
    "ahead": True, "chance": 0.5,
}  # fmt: skip


def record(names=("all", "obj<b>")):
    heads = [
        {"layer": layer, "head": head, "direction": direction, "accuracy": 0.1 * layer + 0.01 * head}
        for layer in (1, 2) for head in (1, 2, 3) for direction in ("from dependent", "to dependent")
    ]  # fmt: skip
    tables = {
        "relations": Table.of([{**ROW, "relation": name} for name in names], RELATIONS),
        "heads": Table.of(heads, HEADS),
    }
    numbers = {"headline": "1 of 1 relation has a head of its own.", "ahead": 1, "relations": 1}
    data, findings = {"name": "t.conllu", "model": "minilm"}, [Finding("verdict", "Words.", numbers)]
    return with_captions(Record("relations", {}, data, tables, findings))


def record_with_pronouns():
    return with_captions(with_table(record(), "coreference", Table.of([PRONOUNS], COREFERENCE)))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("made", [record, record_with_pronouns])
def test_the_record_holds_the_sentences_of_its_charts(made, check):
    check(made())


def test_relations_and_heads_are_shown():
    page = render(record())
    assert "2-3" in page
    assert "offset -2" in page
    assert page.count('class="share"') == 2 * 6
    assert "Layer 2, head 3 finds most syntactic heads" in page


def test_names_of_relations_are_escaped():
    assert "obj<b>" not in render(record())


def test_of_pronouns_the_best_head_stands_beside_the_rule_and_random_weights():
    page = render(record_with_pronouns())
    for words in ("For pronouns the best head is ahead of the first candidate", "best head, 5-4", "guessing", "1,234"):
        assert words in page, words
    assert "Pronouns" not in render(record())
