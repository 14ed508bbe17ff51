"""Rows of texts as numbers of different texts, tokenized once."""

import numpy as np
import torch
from tests.training.sentences.sentence_files import write

from wordworth.tasks.reading.sentence_rows import read_sentences
from wordworth.training.sentences.examples import SentenceExamples


def test_equal_texts_are_one_and_missing_third_texts_are_none(tiny, tmp_path):
    rows = [("a film", "the film", "bad song"), ("the film", "a film", "")]
    read = read_sentences(write(tmp_path / "x.csv", ["anchor", "positive", "negative"], rows))
    examples = SentenceExamples.of(read, tiny, 64, None)
    assert len(examples.tokens) == 3
    assert examples.columns.tolist() == [[0, 1, 2], [1, 0, -1]]
    texts, compared = examples.compared(np.array([1]), torch.device("cpu"))
    assert texts.tolist() == [0, 1]
    assert compared.columns.tolist() == [[1, 0, -1]]
    assert examples.lengths[0] == sum(len(examples.tokens[text]) for text in (0, 1, 2))


def test_long_texts_are_cut_and_counted_and_keep_their_end_mark(tiny, tmp_path):
    long = " ".join(["film"] * 50)
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b"], [(long, "a film"), (long, "song")]))
    examples = SentenceExamples.of(read, tiny, 10, None)
    assert examples.cut == 1
    assert max(map(len, examples.tokens)) == 10
    assert len({int(tokens.ids[-1]) for tokens in examples.tokens}) == 1
