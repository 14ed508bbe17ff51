"""The record of tags, trees and answers: its tables, the further measures of one kind, its findings."""

import pytest
from tests.studies.languages.test_scores_by_language import Items, Learner, made

from wordworth.records import Finding
from wordworth.reports.languages_wording import Wording
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.transfer_record import TransferTask, transfer_record

PIECES = [
    {"language": name, "sentences": 3, "words": 30, "per_word": 1.5, "unknown": 0.0, "labels": 9}
    for name in Items.languages
]


class Percent(Learner):
    """Scores that are shares, each language best by its own training."""

    def measures(self, predictions, test):
        train, number = predictions[str(test)]
        _, draws = super().measures(predictions, test)["score"]
        share = 0.8 if train == number else 0.3
        return {"score": (share, draws * 0 + share), "exact": (share / 2, draws * 0 + share / 2)}

    def constant(self, test):
        _, draws = super().constant(test)["score"]
        return {"score": (0.1, draws * 0 + 0.1)}


@pytest.fixture
def record(tmp_path):
    task = TransferTask(
        task="answering",
        name="questions",
        wording=Wording(score="answer F1", units="questions"),
        facts={"metric": "answer F1", "layer": 2},
        pieces={name: f"the {name}" for name in PIECES[0]},
        measures={"exact": {name: f"the {name}" for name in ("exact", "exact_low", "exact_high")}},
        findings=[Finding("method.answers", "How.", {})],
    )
    settings = LanguagesSettings(model="mini")
    return transfer_record(settings, task, made(tmp_path, Percent()), PIECES, {"scores": 1.0})


def test_it_says_what_was_learned_and_has_a_row_for_each_pair_of_languages(record):
    assert (record.data["task"], record.data["layer"], record.data["source"]) == ("answering", 2, "en")
    assert [row["language"] for row in record.tables["languages"].rows()] == list(Items.languages)
    rows = record.tables["transfer"].rows()
    assert [(row["accuracy"], row["exact"]) for row in rows if row["train"] == row["test"]] == 3 * [(0.8, 0.4)]


def test_it_has_the_warnings_of_few_items_and_the_findings_of_the_kind(record):
    names = [finding.name for finding in record.findings]
    assert names[0] == "verdict"
    assert "answer F1" in record.findings[0].text
    assert "method.answers" in names
