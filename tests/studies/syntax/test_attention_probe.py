"""The attention probe reads all heads between two words; distance tells nothing of matched pairs."""

import numpy as np
import pytest
from tests.studies.new_parts import new_parts
from tests.training.probes.test_structural_probe import random_heads

import wordworth as ww
from wordworth.measures.bootstrap import Resamples
from wordworth.measures.word_level_attention import attention_between_groups, words_and_others
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.progress import STILL
from wordworth.studies.syntax.attention_probe import (
    ANY,
    DISTANCE,
    FREQUENT,
    MATCHED,
    OWN,
    WHICH,
    PairProbes,
    distance_features,
    pair_tasks,
    read_pairs,
)
from wordworth.studies.syntax.sampled_trees import SyntaxSample
from wordworth.studies.syntax.word_pairs import NONE, Pairs
from wordworth.studies.treebank_sample import ProbeSplit
from wordworth.text.treebank import DependencySentence

NUMBER = 240


@pytest.fixture(scope="module")
def sample():
    rng, sentences = np.random.default_rng(0), []
    for row in range(NUMBER):
        heads = random_heads(rng, int(rng.integers(4, 12)))
        relations = tuple("root" if head < 0 else str(rng.choice(["det", "obj"])) for head in heads)
        sentences.append(DependencySentence(("w",) * len(heads), heads, relations, row, 1))
    split = ProbeSplit(np.arange(120), np.arange(120, 150), np.arange(150, NUMBER))
    return SyntaxSample("t", sentences, [], [], np.arange(NUMBER), split, {}, [])


def test_weights_between_words_are_those_of_every_head_in_both_directions():
    encoder = ww.load("mini")
    words = [["The", "zyzzyvas", "sat", "."], ["Yes", "they", "did"]]
    tokens = encoder.tokenizer.encode_words(words)
    pairs = Pairs(*np.array([[1, 0, 0], [2, 3, 1], [0, 1, 2], [NONE, NONE, NONE]]))
    maps = read_pairs(encoder.model, tokens, [len(each) for each in words], pairs, STILL)
    heads = encoder.depth * encoder.model.config.num_heads
    assert maps.shape == (3, 2 * heads)
    reads = list(encoder.activations([" ".join(each) for each in words], Taps(read=(ATTENTION,))))
    for row, (sentence, first, second) in enumerate(zip(pairs.sentences, pairs.first, pairs.second, strict=True)):
        read = reads[sentence]
        groups = words_and_others(read.tokens.words.astype(np.int64), len(words[sentence]))
        grouped = attention_between_groups(np.concatenate(by_layer(read.values, ATTENTION)), *groups)
        assert maps[row, :heads] == pytest.approx(grouped[:, first, second], abs=1e-5)
        assert maps[row, heads:] == pytest.approx(grouped[:, second, first], abs=1e-5)


def test_distances_are_told_apart_up_to_the_farthest():
    pairs = Pairs(*np.array([[0] * 5, [0, 5, 0, 0, 90], [1, 0, 15, 90, 0], [NONE] * 5]))
    features = distance_features(pairs)
    assert features.sum(1).tolist() == [1] * 5
    columns = features.argmax(1).tolist()
    assert columns[2] == columns[3]
    assert len(set(columns)) == 4


def test_planted_attention_is_found_and_distance_tells_nothing_of_matched_pairs(sample):
    tasks = pair_tasks(sample, 0)
    assert list(tasks) == [MATCHED, ANY, WHICH]
    assert tasks[WHICH].classes == 2
    probes, rng = PairProbes(sample, Resamples(200, 0), new_parts()), np.random.default_rng(1)
    found = {}
    for name in (MATCHED, WHICH):
        task = tasks[name]
        planted = rng.random((len(task.pairs), 6)).astype(np.float32)
        planted[:, 3] += 0.5 * task.labels
        features = {OWN: planted, "noise": rng.random((len(task.pairs), 6)).astype(np.float32)}
        features[DISTANCE] = distance_features(task.pairs)
        for score in probes.scores(name, task, features, STILL):
            found[name, score.source] = score.accuracy
    assert found[MATCHED, OWN].value == pytest.approx(0.75, abs=0.05)  # what one threshold finds
    assert found[MATCHED, FREQUENT].value == 0.5
    assert found[MATCHED, DISTANCE].value == 0.5
    assert abs(found[MATCHED, "noise"].value - 0.5) < 0.06
    assert found[WHICH, OWN].value > found[WHICH, DISTANCE].value + 0.1
    assert found[MATCHED, OWN].ends.low < found[MATCHED, OWN].value < found[MATCHED, OWN].ends.high
