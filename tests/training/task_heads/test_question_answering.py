"""The head of questions: an answer is a span of the window that holds it."""

import numpy as np
import pytest

from wordworth.tasks.task import Answer, Examples, span_labels
from wordworth.training.task_heads import SpanHead
from wordworth.training.task_heads.base import InputReader


@pytest.fixture(scope="module")
def reader(tiny):
    return InputReader(tokenizer=tiny.tokenizer, limit=48)


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
