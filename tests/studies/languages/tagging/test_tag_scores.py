"""Scores of tags, on features whose truth is known."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from wordworth.array_cache import ArrayCache
from wordworth.measures.chunk_f1 import chunks, is_matched, scheme
from wordworth.models.load import load
from wordworth.progress import SILENT
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, SHUFFLED
from wordworth.studies.languages.tables import LANGUAGES, language_rows
from wordworth.studies.languages.tagging import tag_scores as module
from wordworth.studies.languages.tagging.tag_scores import best_layer, tag_scores
from wordworth.studies.languages.tagging.word_features import SpellingFeatures
from wordworth.studies.study_result_cache import FinishedParts


class Known:
    """Features that tell the tag, by a direction that languages share or by one of each language's own."""

    def __init__(self, data, *, shared=True, strength=6.0):
        self.data, self.shared, self.strength = data, shared, strength

    def of(self, language, *, test):
        tags = np.concatenate(self.data.part(language, test=test).tags)
        states = np.random.default_rng(language + 10 * test).normal(size=(len(tags), 16)).astype(np.float32)
        moved = tags if self.shared else (tags + language) % len(self.data.classes)
        states[np.arange(len(tags)), moved] += self.strength
        return states


def scores_of(data, tmp_path, **choices):
    systems = {MODEL: Known(data, **choices), RANDOM: Known(data, strength=0.0), CHARACTERS: SpellingFeatures(data)}
    return tag_scores(systems, data, 100, 0, FinishedParts("key", SILENT, ArrayCache(tmp_path / "cache")))


@pytest.fixture(scope="module")
def scores(data, tmp_path_factory):
    return scores_of(data, tmp_path_factory.mktemp("scores"))


def test_tags_of_one_language_carry_to_another_where_the_features_are_shared(scores):
    rows = list(language_rows(scores))
    assert all(set(row) == set(LANGUAGES) for row in rows)
    assert all(row["zero_shot"] > 0.9 for row in rows[1:])
    assert all(row["zero_shot_low"] <= row["zero_shot"] <= row["zero_shot_high"] for row in rows[1:])
    assert scores.accuracy(SHUFFLED, 0, 0)[0] < 0.3
    assert scores.accuracy(RANDOM, 0, 1)[0] < 0.5
    assert [row["transfers"] for row in rows] == [None, *[rows[1]["transfers"]], "yes"], (
        "in cc names are spelt otherwise"
    )


def test_they_do_not_where_each_language_has_its_own_directions(data, tmp_path):
    scores = scores_of(data, tmp_path, shared=False)
    assert scores.accuracy(MODEL, 1, 1)[0] > 0.9
    assert scores.accuracy(MODEL, 0, 1)[0] < 0.3


def test_the_score_is_entity_f1_of_the_tags_of_scikit_learn_s_head(data, scores):
    known = Known(data)
    head = LogisticRegression(max_iter=500).fit(known.of(0, test=False), np.concatenate(data.train[0].tags))
    tags = np.split(head.predict(known.of(1, test=True)), np.cumsum(data.test[1].lengths)[:-1])
    gold, predicted = (chunks(side, scheme(data.classes)) for side in (data.test[1].tags, tags))
    f1 = 2 * is_matched(gold, predicted).sum() / (len(gold.kind) + len(predicted.kind))
    assert scores.accuracy(MODEL, 0, 1)[0] == pytest.approx(f1, abs=0.04)


def test_the_constant_answer_is_the_usual_tag_in_the_source(data, scores):
    usual = {}
    for words, tags in zip(data.train[0].words, data.train[0].tags, strict=True):
        for word, tag in zip(words, tags.tolist(), strict=True):
            usual.setdefault(word, []).append(tag)
    expected = [
        np.array([max(sorted(set(usual.get(w, [0]))), key=usual.get(w, [0]).count) for w in words])
        for words in data.test[0].words
    ]
    gold, predicted = (chunks(side, scheme(data.classes)) for side in (data.test[0].tags, expected))
    f1 = 2 * is_matched(gold, predicted).sum() / (len(gold.kind) + len(predicted.kind))
    assert scores.constant_score(0)[0] == pytest.approx(f1)
    assert scores.constant_score(2)[0] == 0, "it knows no word of cc"


def test_what_an_earlier_call_has_finished_is_read(data, tmp_path, monkeypatch):
    before = scores_of(data, tmp_path)
    monkeypatch.setattr(module.TagLearner, "predictions", lambda *_, **__: pytest.fail("the head is learned anew"))
    after = scores_of(data, tmp_path)
    assert all(before.accuracy(*key)[0] == after.accuracy(*key)[0] for key in before.values)


def test_the_layer_is_chosen_on_the_source_alone(files, data):
    from dataclasses import replace

    encoder = load(str(files / "tiny"))
    layer = best_layer(encoder, data, 0)
    assert layer in range(3)
    assert best_layer(encoder, replace(data, train=(data.train[0], None, None), test=(None, None, None)), 0) == layer
