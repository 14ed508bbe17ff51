"""Labels as tensors: a fresh head begins at the labels' base rates, and values come back on their own scale."""

import numpy as np
import pytest
import torch
from torch.nn import functional

from wordworth.training.finetuning.label_tensors import LabelTensors, label_loss

CLASSES = np.array([0, 0, 0, 1])
FLAGS = np.array([[True, False], [True, True], [True, False], [True, False]])
VALUES = np.array([1.0, 3.0, 5.0])
TAGS = (np.array([0, 1]), np.array([], dtype=np.int64), np.array([1]))


def test_the_first_scores_say_how_often_each_class_occurs():
    shares = LabelTensors.of(CLASSES, 3).bias.softmax(0)
    assert shares.tolist() == pytest.approx([3.5 / 5.5, 1.5 / 5.5, 0.5 / 5.5])


def test_the_first_scores_say_how_often_each_flag_is_set_and_never_that_it_always_is():
    shares = LabelTensors.of(FLAGS, 2).bias.sigmoid()
    assert shares.tolist() == pytest.approx([4.5 / 5, 1.5 / 5])


def test_values_are_learned_on_a_scale_of_their_own_and_predicted_on_theirs():
    tensors = LabelTensors.of(VALUES, 0)
    assert tensors.values.mean().item() == pytest.approx(0, abs=1e-6)
    assert tensors.values.std(unbiased=False).item() == pytest.approx(1)
    assert tensors.predictions(tensors.values.numpy()[:, None]).tolist() == pytest.approx(VALUES)


@pytest.mark.parametrize("values", [np.array([2.0, 2.0]), np.zeros(0)])
def test_values_that_do_not_differ_are_no_division_by_zero(values):
    assert torch.isfinite(LabelTensors.of(values, 0).values).all()


def test_tags_stand_end_to_end():
    assert LabelTensors.of(TAGS, 2).values.tolist() == [0, 1, 1]
    assert len(LabelTensors.of((), 2).values) == 0


def test_predictions_of_classes_are_the_scores():
    scores = np.array([[0.5, 1.5]], np.float32)
    assert LabelTensors.of(CLASSES, 2).predictions(scores).tolist() == [[0.5, 1.5]]


def test_the_labels_of_a_batch_are_those_of_its_examples():
    assert LabelTensors.of(VALUES, 0).of_examples(np.array([2, 0]), torch.device("cpu")).tolist() == pytest.approx(
        [1.2247449, -1.2247449]
    )


@pytest.mark.parametrize(
    ("gold", "expected"),
    [
        (torch.tensor([1, 0]), lambda scores, gold: functional.nll_loss(scores.log_softmax(1), gold, reduction="sum")),
        (torch.tensor([0.5, -1.0]), lambda scores, gold: ((scores[:, 0] - gold) ** 2).sum()),
        (
            torch.tensor([[True, False], [False, True]]),
            lambda scores, gold: -torch.where(gold, scores.sigmoid().log(), (1 - scores.sigmoid()).log()).sum(),
        ),
    ],
    ids=["classes", "values", "flags"],
)
def test_the_loss_fits_the_labels_and_is_summed_in_float32(gold, expected):
    scores = torch.tensor([[0.25, -1.0], [2.0, 0.5]], dtype=torch.bfloat16)
    loss = label_loss(scores, gold)
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(expected(scores.float(), gold).item(), rel=1e-5)
