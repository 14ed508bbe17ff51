"""Controls with real rungs: what must come out null comes out null, what must come out positive comes out positive."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from zlib import crc32

import numpy as np
import pytest

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.measures.metrics import metric
from wordworth.representations.constant_baseline import Majority
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.random_vectors import RandomRung
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.sources import resolve
from wordworth.studies.worth.decision_rule import judge
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.run_ladder import fit_all, open_rungs
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.tasks.task import Examples, Task

WORDS = [f"{first}{last}" for first in "bdfgklmnprstvz" for last in ("ado", "emi", "ilo", "oru", "ubi")]


def sentences(rows, seed=0, words=WORDS, length=12):
    draw = np.random.default_rng(seed)
    return [list(draw.choice(words, size=length)) for _ in range(rows)]


def made(texts, labels, train):
    rows = np.arange(len(texts))
    examples = Examples(tuple(" ".join(text) for text in texts))
    return Task("made up", "single", examples, labels, ("no", "yes"), rows[:train], rows[train:], "accuracy")


def keyword_task(rows=600, train=300):
    """One word decides."""
    texts, labels = sentences(rows), np.random.default_rng(1).integers(2, size=rows)
    for text, label in zip(texts, labels, strict=True):
        text[5] = "winner" if label else "loser"
    return made(texts, labels, train)


def order_task(rows, train):
    """Only which of two words comes first decides; they never stand next to each other."""
    texts, draw = sentences(rows), np.random.default_rng(1)
    labels = draw.integers(2, size=rows)
    for text, label in zip(texts, labels, strict=True):
        early, late = draw.integers(0, 4), draw.integers(7, 12)
        text[early], text[late] = ("first", "second") if label else ("second", "first")
    return made(texts, labels, train)


def scored(task, rungs, cache, seeds=3):
    """Scores at all labels, by the study's own machinery."""
    run_context = RunContext(cache=ArrayCache(cache))
    orders = tuple(np.random.default_rng(seed).permutation(task.train) for seed in range(seeds))
    layout = LabelGrid((len(task.train),), orders)
    entries = open_rungs([Majority(), *rungs], task, run_context, ())
    fit_all(
        entries,
        {entry.rung.name: [(layout.top, seed) for seed in range(seeds)] for entry in entries},
        task,
        layout,
        run_context,
    )
    return measure(entries, task, metric("accuracy", task.classes), Bootstrap(400, 0)), layout.top


@pytest.fixture(name="random_rung")
def random_vectors():
    try:
        resolve("glove")
    except BadInput as error:
        pytest.skip(f"GloVe's vocabulary is not installed: {error.mend}")
    return RandomRung()


@cache
def word_vector(word):
    return np.random.default_rng(crc32(word.encode())).normal(size=16)


@dataclass(frozen=True)
class Placed(Representation):
    """A made-up encoder, no bag of words: what it says of a word depends on where it stands."""

    name: str = "placed"
    title: str = "words in their places"
    family = "frozen"
    contextual = True

    def kinds(self):
        return frozenset({"single"})

    def views(self, examples, run_context):  # noqa: ARG002 - a Representation
        return {"sentence": np.stack([self.read(text.split()) for text in examples.first]).astype(np.float32)}

    @staticmethod
    def read(words):
        states = np.stack([word_vector(word) for word in words])
        return np.hstack([states.mean(0), np.linspace(-1, 1, len(words)) @ states])

    def cost(self):
        return Cost(disk_bytes=4, parameters=1, num_features=32)


def answer(scores, top):
    ladder = [Majority(), RepresentationRung(Tfidf()), RepresentationRung(Placed())]
    return judge(scores, ladder, top, 0.01).answer


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_shuffled_labels_leave_no_rung_surely_better_than_the_majority_and_context_not_worth_it(tmp_path, seed):
    task = keyword_task()
    shuffled = replace(task, labels=np.random.default_rng(seed).permutation(task.labels))
    scores, top = scored(shuffled, [RepresentationRung(Tfidf()), RepresentationRung(Placed())], tmp_path)
    for rung in ("tfidf", "placed"):
        assert scores.gap_interval(rung, "majority", top).low <= 0
        assert abs(scores.mean(rung, top) - 0.5) < 0.08
    assert answer(scores, top) != "contextual is worth it"


def test_context_is_worth_it_where_only_the_order_of_words_tells(tmp_path):
    task = order_task(900, 600)
    scores, top = scored(task, [RepresentationRung(Tfidf()), RepresentationRung(Placed())], tmp_path)
    assert answer(scores, top) == "contextual is worth it"


def test_one_keyword_is_enough_for_every_rung(tmp_path, random_rung):
    scores, top = scored(keyword_task(), [RepresentationRung(Tfidf()), random_rung], tmp_path)
    assert scores.mean("tfidf", top) > 0.97
    assert scores.mean("random", top) > 0.9


def test_random_vectors_are_at_chance_where_training_and_test_share_no_word(tmp_path, random_rung):
    """Without meaning in the vectors there is nothing to carry over."""
    draw, half = np.random.default_rng(3), len(WORDS) // 2
    labels = draw.integers(2, size=600)
    texts = sentences(300, 4, WORDS[:half]) + sentences(300, 5, WORDS[half:])
    scores, top = scored(made(texts, labels, 300), [random_rung], tmp_path)
    assert abs(scores.mean("random", top) - 0.5) < 0.08


def test_bags_of_words_are_at_chance_where_only_their_order_tells(tmp_path, random_rung):
    scores, top = scored(order_task(600, 300), [RepresentationRung(Tfidf()), random_rung], tmp_path)
    for rung in ("tfidf", "random"):
        assert abs(scores.mean(rung, top) - 0.5) < 0.1


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_fine_tuned_encoder_reads_the_order_that_bags_cannot(tmp_path):
    try:
        resolve("minilm")
    except BadInput as error:
        pytest.skip(f"MiniLM is not installed: {error.mend}")
    scores, top = scored(order_task(900, 400), [FineTuned("minilm"), RepresentationRung(Tfidf())], tmp_path, seeds=1)
    assert scores.mean("minilm-finetuned", top) > 0.9
    assert scores.mean("tfidf", top) < 0.6
