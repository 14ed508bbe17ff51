"""Scores of parsers, on vectors whose truth is known."""

import numpy as np
import pytest
from tests.training.probes.test_structural_probe import random_heads

from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, SHUFFLED
from wordworth.studies.languages.parsing import tree_scores as module
from wordworth.studies.languages.parsing.tree_scores import num_learned, permuted_tree, tree_scores
from wordworth.studies.languages.parsing.treebanks_by_language import ParsedLanguages
from wordworth.studies.languages.tables import LANGUAGES, language_rows
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.studies.syntax.parser import attached
from wordworth.studies.syntax.treebank_word_vectors import WordVectors
from wordworth.text.treebank import ROOT, DependencySentence

MOST = 8


class Known:
    """Vectors that tell a word's place and its head's, alike in all languages or in each one's own directions."""

    def __init__(self, data, *, holds=True, shared=True):
        self.data, self.holds, self.shared = data, holds, shared

    def of(self, language, *, test):
        sentences = self.data.part(language, test=test)
        rng, states = np.random.default_rng(language + 10 * test), []
        for sentence in sentences:
            places = rng.permutation(MOST)[: len(sentence)] if not self.holds else np.arange(len(sentence))
            heads = np.where(sentence.heads == ROOT, MOST, places[sentence.heads])
            if not self.shared:
                heads = (heads + 3 * language) % (MOST + 1)
            states.append(np.concatenate([np.eye(MOST)[np.arange(len(sentence))], np.eye(MOST + 1)[heads]], 1))
        flat = np.concatenate(states)[None].astype(np.float16)
        return WordVectors(flat, np.cumsum([0, *map(len, sentences)]))


def sentences(number, seed):
    rng, made = np.random.default_rng(seed), []
    for row in range(number):
        heads = random_heads(rng, int(rng.integers(3, MOST + 1))).astype(np.int64)
        relations = tuple("root" if head == ROOT else "dep" for head in heads)
        made.append(DependencySentence(("w",) * len(heads), heads, relations, row // 2, row))
    return tuple(made)


@pytest.fixture(scope="module")
def data():
    train, test = ([sentences(number, seed) for seed in (1, 2)] for number in (120, 40))
    return ParsedLanguages(("aa", "bb"), ("dep", "root"), tuple(train), tuple(test), ())


def scores_of(data, folder, *others, **choices):
    systems = {MODEL: Known(data, **choices), **dict.fromkeys(others, Known(data, holds=False))}
    return tree_scores(systems, data, 100, 0, FinishedParts("key", SILENT, ArrayCache(folder / "cache")))


@pytest.fixture(scope="module")
def scored(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trees")
    return scores_of(data, folder, RANDOM, CHARACTERS), folder


def test_trees_of_one_language_carry_to_another_where_the_vectors_are_shared(scored):
    scores, _ = scored
    rows = list(language_rows(scores))
    assert all(set(row) == set(LANGUAGES) for row in rows)
    assert [row["served"] for row in rows] == ["yes", "yes"]
    assert rows[1]["zero_shot"] > 0.8
    assert rows[1]["zero_shot_low"] <= rows[1]["zero_shot"] <= rows[1]["zero_shot_high"]
    assert rows[1]["transfers"] == "yes"
    assert scores.accuracy(SHUFFLED, 0, 0)[0] < 0.6 < scores.accuracy(MODEL, 0, 0)[0]
    assert (scores.size(0, test=False), scores.size(0, test=True)) == (120, 40)


def test_they_do_not_where_each_language_has_its_own_directions(data, tmp_path):
    scores = scores_of(data, tmp_path, shared=False)
    assert scores.accuracy(MODEL, 1, 1)[0] > 0.8
    assert scores.accuracy(MODEL, 0, 1)[0] < 0.5


def test_labelled_attachment_is_at_most_unlabelled_in_every_resample(scored):
    for value in scored[0].values.values():
        assert value["las"][0] <= value["uas"][0]
        assert np.all(value["las"][1] <= value["uas"][1])


def test_the_constant_answer_hangs_every_word_on_the_next(data, scored):
    gold = [(word, head, len(each)) for each in data.test[1] for word, head in enumerate(each.heads.tolist())]
    expected = np.mean([head == (word + 1 if word + 1 < words else ROOT) for word, head, words in gold])
    assert scored[0].constant_score(1)[0] == pytest.approx(expected)
    assert scored[0].constants[1]["uas"][0] == pytest.approx(expected)


def test_what_an_earlier_call_has_finished_is_read(data, scored, monkeypatch):
    monkeypatch.setattr(module, "train_probe", lambda *_, **__: pytest.fail("a parser is trained anew"))
    after = scores_of(data, scored[1], RANDOM, CHARACTERS)
    assert all(after.values[key]["las"][0] == value["las"][0] for key, value in scored[0].values.items())


def test_a_tree_dealt_out_has_the_same_shape_and_relations():
    sentence = sentences(1, 5)[0]
    order = np.random.default_rng(0).permutation(len(sentence))
    dealt = permuted_tree(sentence, order)
    assert sorted(dealt.relations) == sorted(sentence.relations)
    for word, head in enumerate(sentence.heads):
        assert dealt.heads[order[word]] == (ROOT if head == ROOT else order[head])
        assert dealt.relations[order[word]] == sentence.relations[word]
    assert (
        attached([sentence], permuted_tree(sentence, np.arange(len(sentence))).heads, sentence.relations)
        .measures["las"]
        .all()
    )


def test_one_training_sentence_in_ten_stops_the_training():
    assert [num_learned(number) for number in (10, 19, 20, 500)] == [9, 18, 18, 450]
