"""Heads: what each kind of task reads, is trained to say and says."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.tasks.task import Answer, Examples, span_labels
from wordworth.testing.sample_tasks import sample_task
from wordworth.text.encoding import Tokens
from wordworth.training.document_context import with_document_context
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.task_heads import ChoiceHead, SpanHead, TagHead, head_of
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.multiple_choice import padded
from wordworth.training.task_heads.token_classification import repair_iob2


@pytest.fixture(scope="module")
def reader(tiny):
    return InputReader(tokenizer=tiny.tokenizer, limit=48)


def test_a_question_of_choice_reads_context_question_and_option_together(reader):
    examples = Examples(("the film", "a song"), ("was it", ""), options=(("good", "bad"), ("great", "poor", "lovely")))
    inputs = ChoiceHead().encode(reader, examples)
    assert np.diff(inputs.offsets).tolist() == [2, 3]
    same = reader.texts(["the film"], ["was it bad"])[0][0]
    assert inputs.tokens[1].ids.tolist() == same.ids.tolist()
    assert inputs.take(np.array([1])).tokens == inputs.tokens[2:]


def test_choices_are_a_softmax_over_the_options_that_are_there():
    scores = torch.tensor([[1.0], [2.0], [0.5], [0.0], [3.0]])
    inputs_bounds = np.array([0, 2, 5])
    inputs = type("Some", (), {"offsets": inputs_bounds})()
    loss = ChoiceHead().loss(scores, LabelTensors(torch.tensor([1, 2]), torch.zeros(1)), inputs, np.array([0, 1]))
    shares = [np.exp(2) / (np.exp(1) + np.exp(2)), np.exp(3) / (np.exp(0.5) + 1 + np.exp(3))]
    assert loss.count == 2
    assert float(loss.sum) == pytest.approx(-np.log(shares).sum(), rel=1e-5)
    assert padded(scores[:, 0], np.array([2, 3]))[0, 2] == -torch.inf


def sentence(length, start):
    """[CLS] words [SEP], a piece a word."""
    ids = np.array([2, *range(start, start + length), 3])
    words = np.array([-1, *range(length), -1], np.int32)
    return Tokens(ids, np.zeros_like(ids), np.zeros((length + 2, 2), np.int32), words)


@given(
    lengths=st.lists(st.integers(1, 12), min_size=1, max_size=12),
    limit=st.integers(6, 40),
    documents=st.lists(st.integers(0, 2), min_size=12, max_size=12),
)
def test_a_sentence_between_its_neighbours_fills_the_window_and_keeps_its_own_words(lengths, limit, documents):
    numbers = sorted(documents[: len(lengths)])
    starts = np.cumsum([10, *lengths])[:-1]
    sentences = [sentence(length, int(start)) for length, start in zip(lengths, starts, strict=True)]
    windows = with_document_context(sentences, numbers, limit)
    for row, (alone, window) in enumerate(zip(sentences, windows, strict=True)):
        mine = sum(length for length, number in zip(lengths, numbers, strict=True) if number == numbers[row])
        assert len(window) == max(len(alone), min(limit, mine + 2))
        assert window.ids[window.words >= 0].tolist() == alone.ids[1:-1].tolist()
        inner = window.ids[1:-1]
        assert (np.diff(inner) == 1).all()  # the text of the document, in its order, with nothing left out


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


def test_an_answer_outside_the_window_is_taught_as_none_and_one_inside_at_its_tokens(reader):
    context = " ".join(["the film was good"] * 20)
    examples = Examples(("was it good", "was it"), (context, context))
    head = SpanHead(nulls=True)
    inputs = head.encode(reader, examples)
    assert (np.diff(inputs.offsets) > 1).all()
    labels = span_labels([[Answer("film", 4)], []])
    gold = head.targets(labels, inputs).values
    assert (gold[inputs.offsets[1] :] == 0).all()
    assert inputs.tokens[0].offsets[gold[0, 0]].tolist() == [4, 8]
    assert (gold[1 : inputs.offsets[1]] == 0).any()


def test_a_threshold_is_tuned_where_questions_may_have_no_answer_and_nowhere_else(reader):
    examples = Examples(("was it", "was it"), ("the film was good", "the song was bad"))
    labels = span_labels([[Answer("film", 4)], []])
    for nulls in (True, False):
        head = SpanHead(nulls=nulls)
        inputs = head.encode(reader, examples)
        scores = [np.zeros((len(tokens), 2), np.float32) for tokens in inputs.tokens]
        scores[0][int(head.targets(labels, inputs).values[0, 0])] = 4.0
        scores[1][0] = 3.0
        chosen = head.tune(scores, labels, inputs)
        assert list(chosen) == (["threshold"] if nulls else [])
        assert head.predict(scores, head.targets(labels, inputs), inputs)[1] == (
            "" if nulls else head.predict(scores, None, inputs)[1]
        )
        assert head.predict(scores, None, inputs)[0] == "film"


def test_every_kind_has_a_head_and_only_unanswerable_questions_may_be_left_unanswered():
    kinds = {kind: head_of(sample_task(kind)) for kind in ("single", "regression", "choice", "tags", "span")}
    assert kinds["regression"].outputs == kinds["choice"].outputs == 1
    assert kinds["span"].threshold is None
