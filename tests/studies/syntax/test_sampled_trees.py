"""Which sentences train, stop and measure; control trees are trees that forms alone decide."""

import numpy as np
import pytest
from tests.studies.syntax.small_treebank import conllu

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.syntax.sampled_trees import control_trees, read_sample, tree_of
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.text.treebank import ROOT, DependencySentence


@pytest.fixture(scope="module")
def encoder():
    return ww.load("mini")


def sample(encoder, **choices):
    return read_sample(encoder, SyntaxSettings(model="mini", **choices))


def test_a_file_is_halved_by_document(encoder, tmp_path):
    path = tmp_path / "one.conllu"
    path.write_text(conllu(60, range(0, 60, 2)))
    found = sample(encoder, treebank=path)
    parts = [set(found.documents[rows]) for rows in (found.split.train_and_held_out, found.split.test)]
    assert not parts[0] & parts[1]
    assert found.facts == {"sentences": 30, "documents": 30, "training": 26, "held_out": 4, "too_long": 0}


def test_a_named_treebank_is_measured_on_its_dev_part_and_another_on_request(encoder, tmp_path, monkeypatch):
    folder = tmp_path / "syntax" / "ud"
    folder.mkdir(parents=True)
    for name, sentences in (("en_a-ud-train", 50), ("en_a-ud-dev", 30), ("en_b-ud-dev", 24)):
        (folder / f"{name}.conllu").write_text(conllu(sentences))
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    for choices, training, measuring in (
        ({"treebank": "en_a"}, 50, 30),
        ({"treebank": "en_a", "limit": 20}, 20, 20),
        ({"treebank": "en_a", "test": "en_b"}, 50, 24),
        ({"treebank": "en_b"}, 12, 12),
        ({"treebank": "en_b", "test": "en_a"}, 24, 30),
    ):
        found = sample(encoder, **choices)
        assert (len(found.split.train_and_held_out), len(found.split.test)) == (training, measuring)
        assert not set(found.documents[found.split.train_and_held_out]) & set(found.documents[found.split.test])


def test_the_treebank_to_train_on_is_refused_as_the_one_to_test_on(encoder, tmp_path):
    path, copy = tmp_path / "one.conllu", tmp_path / "copy.conllu"
    path.write_text(conllu(60))
    copy.write_text(conllu(60))
    for test in (path, copy):
        with pytest.raises(BadInput, match="tested on the sentences that they learn from"):
            sample(encoder, treebank=path, test=test)


def test_what_is_too_small_is_refused(encoder, tmp_path):
    path = tmp_path / "small.txt"
    for text, what in (
        ("the 2-det\ncat 0-root\n\n" * 7, "too few"),
        ("the 2-det\ncat 0-root\n\n" * 30, "five words"),
        ("cat 0-root\n. 1-punct\n. 1-punct\n. 1-punct\n. 1-punct\n\n" * 30, "two words"),
    ):
        path.write_text(text)
        with pytest.raises(BadInput, match=what):
            sample(encoder, treebank=path)


def test_trees_of_sentences_leave_out_punctuation():
    sentence = DependencySentence(("a", "b", "."), np.array([1, ROOT, 1]), ("det", "root", "punct"), 0, 1)
    tree = tree_of(sentence)
    assert tree.distances.tolist() == [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    assert tree.depths.tolist() == [1, 0, 1]
    assert tree.is_counted.tolist() == [True, True, False]


def test_control_trees_are_trees_that_the_form_of_words_decides():
    rng, forms = np.random.default_rng(0), [f"w{number}" for number in range(40)]
    sentences = [
        DependencySentence(tuple(rng.choice(forms, size)), np.full(size, ROOT), ("dep",) * size, 0, 1)
        for size in rng.integers(1, 15, 200)
    ]
    hangs = {}
    for sentence, tree in zip(sentences, control_trees(sentences, 0), strict=True):
        words = len(sentence)
        assert tree.depths.tolist() == tree.distances[0].tolist()  # the first word is the root
        assert (tree.distances == 1).sum() == 2 * (words - 1)
        for word in range(2, words - 1):
            near = {place for place in (0, words - 1, word - 1) if tree.distances[word, place] == 1}
            hangs.setdefault(sentence.words[word], []).append(
                {kind for kind, place in (("first", 0), ("last", words - 1), ("before", word - 1)) if place in near}
            )
    assert all(set.intersection(*kinds) for kinds in hangs.values())
    assert len({kind for kinds in hangs.values() for kind in set.intersection(*kinds)}) == 3
