"""Attachment scores are those of the CoNLL 2018 shared task, and every parser stands on the same words."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.measures.test_tree_embeddings import trees

from wordworth.studies.syntax.parser import COMPARED, NEXT_WORD, attached, right_branching, scored_parsers
from wordworth.text.treebank import DependencySentence, read_treebank

RELATIONS = ["nsubj", "nsubj:pass", "obj", "punct", "root"]


def conll_scores(gold, system):
    """UAS and LAS of CoNLL-U lines as the task's script counts them: F1 over aligned words, subtypes left out."""

    def words(lines):
        found, number = [], 0
        for line in lines:
            if not line:
                number += 1
                continue
            columns = line.split("\t")
            found.append((number, columns[6], columns[7].split(":")[0]))
        return found

    gold, system = words(gold), words(system)
    scores = []
    for length in (2, 3):
        correct = sum(a[:length] == b[:length] for a, b in zip(gold, system, strict=True))
        precision, recall = correct / len(system), correct / len(gold)
        scores.append(2 * precision * recall / (precision + recall) if correct else 0.0)
    return scores


def lines(sentences, heads, labels):
    found, at = [], 0
    for sentence in sentences:
        for number in range(len(sentence)):
            found.append("\t".join([str(number + 1), "w", *"____", str(heads[at] + 1), labels[at], "_", "_"]))
            at += 1
        found.append("")
    return found


@given(st.data())
def test_scores_are_those_of_the_shared_task(data):
    gold = data.draw(st.lists(trees(most=8), min_size=1, max_size=5))
    name = st.sampled_from(RELATIONS)
    sentences = [
        DependencySentence(("w",) * len(tree), tree, tuple(data.draw(name) for _ in tree), row, row)
        for row, tree in enumerate(gold)
    ]
    flat = np.concatenate(gold)
    heads = np.array([data.draw(st.sampled_from([head, -1, 0])) for head in flat])
    labels = [data.draw(name) for _ in flat]
    found = attached(sentences, heads, [label.partition(":")[0] for label in labels])
    true = lines(sentences, flat, [name for each in sentences for name in each.relations])
    expected = conll_scores(true, lines(sentences, heads, labels))
    assert [found.measures[name].mean() for name in ("uas", "las")] == pytest.approx(expected)
    assert np.bincount(found.sentence).tolist() == [len(each) for each in sentences]


@pytest.fixture
def sample(tmp_path):
    (tmp_path / "t.txt").write_text("the 2-det\ncat 3-nsubj\nsaw 0-root\nit 3-obj\n\n" * 2)
    sentences = read_treebank(tmp_path / "t.txt").sentences
    return sentences[:1], sentences[1:]


def test_right_branching_takes_the_next_word_and_the_last_for_the_root(sample):
    found = right_branching(*sample)
    assert found.source == NEXT_WORD
    assert found.measures["uas"].tolist() == [True, True, False, False]
    assert found.measures["las"].tolist() == [True, False, False, False]  # of det and nsubj the first is taken


def test_scores_share_their_draws(sample):
    found = right_branching(*sample)
    twice = scored_parsers([found, found], np.zeros(1, np.int64), 100, np.random.default_rng(0))
    gap = twice[0].scores["uas"].less(twice[1].scores["uas"])
    assert (gap.value, np.abs(gap.draws).max()) == (0, 0)
    assert [twice[0].scores[name].value for name in ("uas", "las")] == [0.5, 0.25]
    assert NEXT_WORD in COMPARED
