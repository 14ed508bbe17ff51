"""What is said of a plan: the direction of the change, the control, and what could mislead."""

import pytest

from wordworth.records import Table
from wordworth.studies.adaptation.bits_per_character import TEXTS
from wordworth.studies.adaptation.findings import CORPUS, TASK, findings
from wordworth.studies.adaptation.vocabulary_comparison import VOCABULARIES
from wordworth.studies.adaptation.word_overlap import OVERLAP

FACTS = {
    "model": "mini", "steps": 50, "headless": "", "overlapping": 0, "is_whole": True, "stop_words": 100, "splits": 20,
}  # fmt: skip


def said(facts=FACTS, **columns):
    row = dict.fromkeys(TEXTS) | {"texts": TASK, "number": 200, "before": 2.0, "after": 1.9} | columns
    shares = [{"texts": name, "overlap": 0.5, "least": 0.4, "most": 0.6, "words": 9} for name in (CORPUS, "other half")]
    pieces = [{"vocabulary": name, "size": 9, "shared": 0.4, "per_word": 1.5} for name in ("model", "own")]
    tables = {
        "texts": Table.of([row], TEXTS),
        "overlap": Table.of(shares, OVERLAP),
        "vocabularies": Table.of(pieces, VOCABULARIES),
    }
    return {finding.name: finding for finding in findings(facts, tables)}


@pytest.mark.parametrize(
    ("ends", "headline"),
    [
        ((-0.2, -0.1), "The corpus teaches mini the task's language."),
        ((-0.2, 0.1), "Whether the corpus teaches mini the task's language cannot be told."),
        ((0.1, 0.2), "The corpus takes mini away from the task's language."),
    ],
)
def test_the_headline_follows_the_interval(ends, headline):
    low, high = ends
    verdict = said(change=(low + high) / 2, low=low, high=high)["verdict"]
    assert verdict.numbers["headline"] == headline
    assert "from 2.000 to 1.900" in verdict.text


def test_beside_a_control_the_difference_decides():
    change = {"change": -0.1, "low": -0.2, "high": -0.05}
    gain = said(**change, gain=-0.1, gain_low=-0.2, gain_high=-0.05)["verdict.control"]
    assert "more than text of another domain teaches: −0.100 bits a character beside the control" in gain.text
    assert "cannot be told" in said(**change, gain=0.0, gain_low=-0.1, gain_high=0.1)["verdict.control"].text
    assert "verdict.control" not in said(**change)


def test_what_could_mislead_is_said():
    names = said(FACTS | {"overlapping": 3, "is_whole": False}, number=40, change=-0.1, low=-0.2, high=0.0)
    assert {"warning.overlap", "warning.few_texts", "warning.beginning", "method.score"} <= names.keys()


def test_a_model_without_a_head_has_no_loss_before():
    verdict = said(FACTS | {"headless": "this model has no language model head"})["verdict"]
    assert "cannot be measured" in verdict.numbers["headline"]
    assert "no language model head" in verdict.text
