"""What probes read of a model is what a loop over pairs of words reads, in memory and in a temporary file."""

import numpy as np
import pytest

import wordworth as ww
from wordworth.measures.word_level_attention import attention_between_groups
from wordworth.models.activation_taps import Taps
from wordworth.progress import STILL
from wordworth.studies.syntactic_relations.dependency_probe_inputs import (
    ProbedSentences,
    ProbeInputs,
    heads_or_end,
    pair_maps,
    static_vectors,
)
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.probes import scratch_array
from wordworth.training.probes.word_pairs import ProbedSentence

ONE = DependencySentence(
    ("The", "zyzzyvas", "sat", "."), np.array([1, 2, ROOT, 2]), ("det", "nsubj:pass", "root", "punct:x"), 0, 1
)
OTHER = DependencySentence(("Cats", "sleep"), np.array([1, ROOT]), ("nsubj", "root"), 1, 7)


def test_the_root_is_the_end_of_a_sentence():
    assert heads_or_end(ONE).tolist() == [1, 2, 4, 2]


@pytest.mark.parametrize("model", ["minilm", "mini"])
def test_maps_are_attention_in_both_directions_with_special_tokens_for_the_root(model):
    encoder = ww.load(model)
    tokens = encoder.tokenizer.encode_words([each.words for each in (OTHER, ONE)])
    inputs = ProbeInputs.of(encoder.model, tokens, (OTHER, ONE))
    ((_, read),) = [list(inputs.read(encoder.model, np.array([0, 1]), STILL))]
    (seen,) = encoder.activations([" ".join(ONE.words)], Taps(read=("layers.*.attention.probabilities",)))
    expected = []
    words = tokens[1].words
    for word in range(4):
        for other in (each for each in range(5) if each != word):
            place = [np.flatnonzero(words == (each if each < 4 else -1)) for each in (word, other)]
            between = [
                [head[np.ix_(one, two)].sum(1).mean() for layer in range(encoder.depth) for head in
                 seen.values[f"layers.{layer}.attention.probabilities"]]
                for one, two in (place, place[::-1])
            ]  # fmt: skip
            expected.append(between[0] + between[1])
    assert np.asarray(read.maps, float) == pytest.approx(np.array(expected), abs=1e-3)
    assert read.heads.tolist() == [1, 2, 4, 2]


def test_without_special_tokens_the_root_has_no_attention():
    attention = np.full((2, 3, 3), 1 / 3, np.float32)
    maps = pair_maps(attention, np.array([0, 0, 1]), 2)
    assert maps.shape == (4, 4)
    assert maps[[1, 3]].tolist() == [[0] * 4] * 2
    assert maps[0].astype(float).tolist() == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3], abs=1e-3)
    assert attention_between_groups(attention, np.array([0, 0, 1]), 2)[0, 0, 1] == pytest.approx(1 / 3)


def test_static_vectors_are_means_of_input_embeddings():
    encoder = ww.load("minilm")
    tokens = encoder.tokenizer.encode_words([ONE.words, OTHER.words])
    vectors = static_vectors(encoder.model, tokens, (ONE, OTHER))
    table = encoder.model.embedding.word.weight.detach().numpy()
    own = [
        [table[read.ids[read.words == word]].mean(0) for word in range(len(each))]
        for read, each in zip(tokens, (ONE, OTHER), strict=True)
    ]
    size = np.sqrt(np.mean([np.square(each).mean() for each in own[0] + own[1]]))
    assert vectors[0] == pytest.approx(np.array(own[0]) / size, rel=0.3, abs=0.2)
    ratio = vectors[0][1] / own[0][1]
    assert np.ptp(ratio) < 1e-3 * abs(ratio.mean())  # one scale for all
    assert tokens[0].words.tolist().count(1) > 1  # a word of several pieces is among them


@pytest.mark.parametrize("most", [2**30, 0])
def test_maps_are_kept_in_memory_or_in_a_file(most, monkeypatch):
    monkeypatch.setattr(scratch_array, "MOST_IN_MEMORY", most)
    rng = np.random.default_rng(0)
    sentences = [
        ProbedSentence(
            np.column_stack([rng.random((words**2, 2)), np.full(words**2, 0.5)]).astype(np.float16),
            np.zeros((words, 1), np.float32),
            np.arange(words),
            np.ones(words, bool),
        )
        for words in (3, 1, 5)
    ]
    kept = ProbedSentences.of(iter(sentences), [3, 1, 5])
    assert isinstance(kept.sentences[0].maps.base, np.memmap) == (most == 0)
    for one, other in zip(kept.sentences, sentences, strict=True):
        assert np.array_equal(one.maps, other.maps)
    together = np.concatenate([each.maps for each in sentences]).astype(float)
    assert kept.scale[:2] == pytest.approx(1 / together.std(0)[:2], rel=1e-4)
    assert kept.scale[2] == 0  # a constant map says nothing
