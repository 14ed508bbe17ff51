import numpy as np
import pytest
import torch
from torch.nn import functional

from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader
from wordworth.training.task_heads.sequence_classification import TextHead


@pytest.fixture(scope="module")
def reader(tiny):
    return InputReader(tokenizer=tiny.tokenizer, limit=12)


def encoded(reader, kind):
    """The head of a kind of task, its encoded examples and their labels as tensors."""
    task = sample_task(kind, 12)
    head = head_of(task)
    inputs = head.encode(reader, task.examples)
    return task, head, inputs, head.targets(task.labels, inputs)


@pytest.mark.parametrize(
    ("kind", "outputs"), [("classification", 3), ("pair_classification", 2), ("multilabel", 2), ("regression", 1)]
)
def test_there_is_an_output_a_class_and_one_for_a_value(kind, outputs):
    head = head_of(sample_task(kind))
    assert isinstance(head, TextHead)
    assert head.num_scores == outputs


def test_a_text_is_one_sequence_and_so_is_a_pair_in_two_segments(reader):
    head = TextHead(2)
    alone = head.encode(reader, Examples(("good film", "bad")))
    pairs = head.encode(reader, Examples(("good film", "bad"), ("a book", "good")))
    assert len(alone) == len(alone.tokens) == len(pairs.tokens) == 2
    assert set(alone.tokens[0].segments) == {0}
    assert pairs.tokens[0].segments.tolist() == sorted(pairs.tokens[0].segments)
    assert set(pairs.tokens[0].segments) == {0, 1}
    assert len(pairs.tokens[0]) > len(alone.tokens[0])


def test_a_text_that_is_too_long_is_cut_and_counted(reader):
    inputs = TextHead(2).encode(reader, Examples(("good", "good " * 40)))
    assert inputs.truncated.tolist() == [False, True]
    assert inputs.sizes.max() == 12


@pytest.mark.parametrize(
    ("kind", "loss"),
    [
        ("classification", lambda scores, labels: functional.cross_entropy(scores, labels, reduction="sum")),
        (
            "multilabel",
            lambda scores, labels: functional.binary_cross_entropy_with_logits(scores, labels.float(), reduction="sum"),
        ),
    ],
)
def test_the_loss_of_a_batch_is_torchs_over_its_examples(kind, loss, reader):
    task, head, inputs, gold = encoded(reader, kind)
    rows = np.array([5, 0, 7])
    scores = torch.randn(3, head.num_scores, generator=torch.Generator().manual_seed(0))
    batch_loss = head.loss(scores, gold, inputs, rows)
    expected = loss(scores, torch.from_numpy(np.asarray(task.labels)[rows]))
    assert batch_loss.count == 3
    assert batch_loss.sum.item() / 3 == pytest.approx(expected.item() / 3)


def test_values_are_learned_with_mean_0_and_deviation_1_and_predicted_on_their_own_scale(reader):
    task, head, inputs, gold = encoded(reader, "regression")
    standard = (task.labels - task.labels.mean()) / task.labels.std()
    scores = [np.full((1, 1), value, np.float32) for value in standard]
    assert head.predict(scores, gold, inputs) == pytest.approx(task.labels, abs=1e-5)
    loss = head.loss(torch.zeros(12, 1), gold, inputs, np.arange(12))
    assert loss.sum.item() == pytest.approx((standard**2).sum(), rel=1e-5)


def test_no_texts_have_no_predictions_of_the_same_width(reader):
    _, head, inputs, gold = encoded(reader, "classification")
    assert head.predict([], gold, inputs).shape == (0, 3)
