"""The study of a tagging task on made-up rungs: sentences are the items, words are what is tagged."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.studies.fake_ladder import Accuracy, FakeLearner, FakeRung, constant

from wordworth.records import Record
from wordworth.reports import render
from wordworth.representations.rung import RunContext
from wordworth.studies.worth.label_grid import label_grid
from wordworth.studies.worth.record import make_record
from wordworth.studies.worth.run_ladder import open_rungs, run_ladder
from wordworth.studies.worth.running_costs import costs_table
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.studies.worth.study_result import StudyResult
from wordworth.tasks.task import Examples, Task

TAGS = ("O", "B-PER", "I-PER")
CHOSEN = WorthSettings(seeds=3, draws=200)
NAMES = ("ada", "byron", "grace", "hopper", "alan", "turing")


def task(sentences: int = 400, documents: int | None = None) -> Task:
    """Sentences of five to nine words with a name of two words in each; `may` and `grace` are names and are not."""
    draw = np.random.default_rng(0)
    words, labels = [], []
    for number in range(sentences):
        length = int(draw.integers(5, 10))
        sentence = [f"word{draw.integers(40)}" for _ in range(length)]
        tags = np.zeros(length, dtype=np.int64)
        at = int(draw.integers(length - 1))
        sentence[at : at + 2] = draw.choice(NAMES, 2).tolist() if number % 3 else ["may", f"new{number}"]
        tags[at : at + 2] = 1, 2
        sentence[(at + 2) % length if at + 2 < length else 0] = "may"
        words.append(tuple(sentence))
        labels.append(tags)
    order = np.arange(sentences)
    numbers = None if documents is None else tuple(number * documents // sentences for number in range(sentences))
    examples = Examples(tuple(map(" ".join, words)), words=tuple(words), documents=numbers)
    half = sentences // 2
    return Task("made up", "tags", examples, tuple(labels), TAGS, order[:half], order[half:], "entity_f1")


@dataclass(frozen=True)
class FakeTagger(FakeRung):
    """Right about a whole sentence with a known probability; else it tags nothing in it."""

    def kinds(self):
        return frozenset({"tags"})

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return FakeTaggerLearner(self, task)


class FakeTaggerLearner(FakeLearner):
    def fit(self, rows, rng):
        return FakeTagging(self.task, self.rung.accuracy(len(rows)), int(rng.integers(2**31)))


@dataclass(frozen=True)
class FakeTagging:
    task: Task
    accuracy: float
    seed: int
    chosen = {"c": 1.0}  # noqa: RUF012 - nothing changes it

    def predict(self, rows):
        right = np.random.default_rng(self.seed).random(len(rows)) < self.accuracy
        gold = zip(self.task.gold(rows), right, strict=True)
        return tuple(tags if good else np.zeros_like(tags) for tags, good in gold)

    def predict_texts(self, examples):
        return tuple(np.zeros(len(words), dtype=np.int64) for words in examples.words)


class AllOrNothing(FakeTagger):
    """Right about ten sentences in a row, then about none of the next ten."""

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return AllOrNothingLearner(self, task)


class AllOrNothingLearner(FakeLearner):
    def fit(self, rows, rng):  # noqa: ARG002 - a Learner
        return InTens(self.task, 0.0, 0)


class InTens(FakeTagging):
    def predict(self, rows):
        gold = self.task.gold(rows)
        return tuple(np.zeros_like(tags) if row // 10 % 2 else tags for row, tags in zip(rows, gold, strict=True))


def tagger(name: str, family: str, accuracy: float | Accuracy) -> FakeTagger:
    return FakeTagger(name, family, accuracy if callable(accuracy) else constant(accuracy))


NOTHING = tagger("majority", "constant", 0.0)


def study(*rungs: FakeTagger, made: Task | None = None) -> Record:
    made, run_context = made or task(), RunContext(threads=1)
    entries, layout = open_rungs([NOTHING, *rungs], made, run_context, ()), label_grid(made, CHOSEN)
    scores = run_ladder(entries, made, layout, CHOSEN, run_context)
    costs = costs_table(entries, made, CHOSEN.hourly_price, run_context)
    result = StudyResult(made, layout, entries, scores, CHOSEN.metric_margin, costs)
    return make_record(result, ReadSettings(), CHOSEN)


def at_top(record: Record, rung: str) -> dict:
    rows = [row for row in record.tables["curve"].rows() if row["rung"] == rung]
    return max(rows, key=lambda row: row["labels"])


@pytest.mark.parametrize(
    ("cheap", "contextual", "answer"),
    [(0.4, 0.9, "contextual is worth it"), (0.97, 0.6, "cheap suffices"), (0.8, 0.805, "cannot tell yet")],
)
def test_the_verdict_follows_what_the_rungs_can_do(cheap, contextual, answer):
    record = study(tagger("glove", "static", cheap), tagger("minilm", "frozen", contextual))
    assert record.finding("verdict").numbers["answer"] == answer


def test_scores_are_of_entities_and_a_rung_that_tags_nothing_has_none_of_them():
    record = study(tagger("minilm", "frozen", 1.0), tagger("glove", "static", 0.5))
    assert at_top(record, "minilm")["score"] == 1
    assert at_top(record, "majority")["score"] == 0
    assert 2 * 0.4 / 1.4 < at_top(record, "glove")["score"] < 2 * 0.6 / 1.6  # all it says is right, half is missing


def test_sentences_of_one_document_are_drawn_together():
    """A rung that is right in every other document: twenty documents tell less than two hundred sentences."""
    by_document = AllOrNothing("glove", "static", constant(0.0))
    wide, narrow = (at_top(study(by_document, made=made), "glove") for made in (task(documents=40), task()))
    assert wide["score"] == narrow["score"]
    assert wide["high"] - wide["low"] > 2 * (narrow["high"] - narrow["low"])


def test_words_seen_with_several_tags_or_never_seen_are_the_harder_ones():
    record = study(tagger("glove", "static", 0.5), tagger("minilm", "frozen", 0.9))
    by_measure = {row["measure"]: row for row in record.tables["slices"].rows() if row["rung"] == "glove"}
    entities = 2 * 200
    for measure in ("ambiguity", "unseen"):
        row = by_measure[measure]
        assert row["easy_n"] + row["hard_n"] + row["undefined_n"] == entities
        assert row["hard_n"] >= 50
    assert by_measure["complexity"]["hard_n"] == 0  # every name has two words


def test_the_page_of_a_tagging_study_tells_tags_and_sentences_and_takes_markup_for_text():
    made = task()
    strange = tuple((f"<b>{words[0]}</b>", *words[1:]) for words in made.examples.words)
    examples = replace(made.examples, first=tuple(map(" ".join, strange)), words=strange)
    made = replace(made, examples=examples, classes=("O", "B-<i>", "I-<i>"))
    page = render(study(tagger("glove", "static", 0.3), tagger("minilm", "frozen", 0.9), made=made))
    assert "B-&lt;i&gt;" in page
    assert "<i>" not in page
    assert "<b>word" not in page
