"""The section of pronouns: best head, rule and random weights beside guessing; nothing without pronouns."""

from tests.reports.test_relations import record as without_pronouns

from wordworth.records import Record, Table
from wordworth.reports import render
from wordworth.studies.relations.coreference import COREFERENCE

ROW = dict.fromkeys(COREFERENCE, 0.1) | {
    "sentences": 1_234, "layer": 5, "head": 4, "direction": "to pronoun", "accuracy": 0.61, "rule": "first candidate",
    "ahead": True, "chance": 0.5,
}  # fmt: skip


def test_the_best_head_stands_beside_the_rule_and_random_weights():
    plain = without_pronouns()
    tables = {**plain.tables, "coreference": Table.of([ROW], COREFERENCE)}
    page = render(Record(plain.kind, plain.settings, plain.data, tables, plain.findings))
    for words in ("For pronouns the best head is ahead of the first candidate", "best head, 5-4", "guessing", "1,234"):
        assert words in page, words
    assert "Pronouns" not in render(without_pronouns())
