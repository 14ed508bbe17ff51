"""Rows of texts as numbers of different texts, tokenized once."""

from dataclasses import replace

import numpy as np
import torch
from tests.training.sentences.sentence_files import write

from wordworth.tasks.reading.sentence_rows import read_sentences
from wordworth.training.sentences.tokenized_rows import SentenceExamples


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


def test_each_column_stands_behind_its_prompt_and_a_text_of_both_has_one_number(tiny, tmp_path):
    rows = [("a film", "the film", "bad song"), ("the film", "a film", "")]
    read = read_sentences(write(tmp_path / "x.csv", ["anchor", "positive", "negative"], rows))
    two = replace(tiny, prompts={"query": "good ", "passage": "the "})
    examples = SentenceExamples.of(read, two, 64, None)
    expected = ["good a film", "good the film", "the the film", "the a film", "the bad song"]
    assert [tokens.ids.tolist() for tokens in examples.tokens] == [ids.tolist() for ids in tiny.tokenizer.ids(expected)]
    assert examples.columns.tolist() == [[0, 2, 4], [1, 3, -1]]
    assert examples.text_ids.tolist() == [0, 1, 1, 0, 2]
    _, compared = examples.compared(np.array([1]), torch.device("cpu"))
    assert compared.columns.tolist() == [[0, 1, -1]]
    assert compared.numbered_columns.tolist() == [[1, 0, -1]]


def test_a_default_prompt_stands_before_every_column(tiny, tmp_path):
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b"], [("a film", "song"), ("song", "dinner")]))
    examples = SentenceExamples.of(read, replace(tiny, prompt="the "), 64, None)
    assert examples.text_ids is None
    expected = [ids.tolist() for ids in tiny.tokenizer.ids(["the a film", "the song", "the dinner"])]
    assert [tokens.ids.tolist() for tokens in examples.tokens] == expected


def test_a_text_that_is_cut_behind_both_prompts_is_counted_once(tiny, tmp_path):
    long = " ".join(["film"] * 50)
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b"], [(long, "song"), ("song", long)]))
    examples = SentenceExamples.of(read, replace(tiny, prompts={"query": "good "}), 10, None)
    assert examples.cut == 1
    assert sorted(map(len, examples.tokens))[-2:] == [10, 10]
