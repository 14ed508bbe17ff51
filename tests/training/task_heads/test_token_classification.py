"""The tagging head: a tag is read at the first piece of each word."""

import numpy as np
import pytest
import torch

from wordworth.tasks.task import Examples
from wordworth.training.task_heads import TagHead
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.token_classification import repair_iob2


@pytest.fixture(scope="module")
def reader(tiny):
    return InputReader(tokenizer=tiny.tokenizer, limit=48)


def test_a_tag_is_read_at_a_word_s_first_piece_and_other_pieces_teach_nothing(reader):
    head = TagHead(("O", "B-x"))
    inputs = head.encode(reader, Examples(("zzfilm good",), words=(("zzfilm", "good"),)))
    assert inputs.firsts[0].tolist() == [1, int(np.flatnonzero(inputs.tokens[0].words == 1)[0])]
    assert inputs.firsts[0][1] > 2  # the first word has several pieces
    scores = torch.zeros(len(inputs.tokens[0]), 2)
    gold = head.targets((np.array([1, 0]),), inputs)
    before = head.loss(scores, gold, inputs, np.array([0]))
    scores[2] = torch.tensor([9.0, -9.0])
    after = head.loss(scores, gold, inputs, np.array([0]))
    assert before.count == 2
    assert float(before.sum) == float(after.sum) == pytest.approx(2 * np.log(2))


def test_under_a_crf_no_tag_breaks_the_rules_of_its_scheme(reader):
    head = TagHead(("O", "B-x", "I-x"), with_crf=True)
    inputs = head.encode(reader, Examples(("good bad",), words=(("good", "bad"),)))
    scores = np.zeros((len(inputs.tokens[0]), 3), np.float32)
    scores[:, 2] = 5.0  # every word would rather continue an entity
    gold = head.targets((np.array([0, 0]),), inputs)
    assert head.predict([scores], gold, inputs)[0].tolist() in ([1, 2], [0, 0])


def test_an_entity_whose_first_word_has_no_piece_begins_at_its_second_under_a_crf(reader):
    head = TagHead(("O", "B-x", "I-x"), with_crf=True)
    inputs = head.encode(reader, Examples(("\u200b good bad", "good"), words=(("\u200b", "good", "bad"), ("good",))))
    gold = head.targets((np.array([1, 2, 2]), np.array([1])), inputs)
    scores = torch.zeros(sum(len(each) for each in inputs.tokens), 3)
    found = head.loss(scores, gold, inputs, np.arange(2))
    assert found.count == 3
    assert found.sum.item() < 10  # a step that the rules forbid would cost 10,000


def test_rules_are_mended_only_where_words_were_left_out():
    classes, lengths = ("O", "B-x", "I-x", "B-y", "I-y"), np.array([3, 0, 2, 3])
    tags = np.array([1, 2, 2, 2, 2, 3, 4, 2])
    assert repair_iob2(tags, lengths, classes).tolist() == [1, 2, 2, 1, 2, 3, 4, 1]
