"""What a loss learns from, and which rows choose the step; what a loss lacks is one clear error."""

from pathlib import Path

import numpy as np
import pytest
import torch
from tests.training.sentences.sentence_files import labelled, scored, write

from wordworth.errors import BadInput
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.read_data import SentenceData, read_data
from wordworth.training.sentences.settings import SentenceTrainingSettings


def read(path: Path, loss: str, **choices) -> SentenceData:
    return read_data(path, SentenceTrainingSettings(model="mini", loss=loss, **choices), LOSSES.get(loss))


def targets(path: Path, loss: str) -> torch.Tensor:
    data = read(path, loss, dev=0)
    return data.targets(data.train, LOSSES.get(loss))


def test_scores_become_cosines(tmp_path):
    pairs = [("a", "b", "5"), ("c", "d", "2,5"), ("e", "f", "0")]
    assert targets(write(tmp_path / "x.csv", ["text_a", "text_b", "score"], pairs), "cosine").tolist() == [1, 0.5, 0]
    as_they_are = [("a", "b", "-1"), ("c", "d", "0.3")]
    path = write(tmp_path / "y.csv", ["text_a", "text_b", "score"], as_they_are)
    assert targets(path, "cosine").tolist() == pytest.approx([-1, 0.3])


def test_classes_are_numbered_in_the_order_of_their_names(tmp_path):
    pairs = [("a", "b", "neutral"), ("c", "d", "entailment"), ("e", "f", "contradiction")]
    assert targets(write(tmp_path / "x.csv", ["text_a", "text_b", "label"], pairs), "softmax").tolist() == [2, 1, 0]


def test_no_first_text_is_learned_from_and_judged_on(tmp_path):
    data = read(labelled(tmp_path / "nli.csv"), "softmax", dev=0.3)
    assert len(data.train) + len(data.dev) == 270
    assert len(data.dev) >= 81
    assert not {*data.train.first} & {*data.dev.first}
    assert data.scores is None


def test_a_dev_file_with_scores_judges_by_them_and_one_with_classes_by_the_loss(tmp_path):
    nli, sts = labelled(tmp_path / "nli.csv"), scored(tmp_path / "sts.csv")
    assert len(read(nli, "ranking", dev=sts).scores) == 90
    assert read(nli, "ranking", dev=nli).scores is None
    assert len(read(nli, "ranking", dev=nli).dev) == 90
    own = read(sts, "cosine", dev=0.5)
    assert np.array_equal(own.scores, own.dev.scores)


def test_a_triplet_needs_all_three_texts(tmp_path):
    data = read(labelled(tmp_path / "nli.csv"), "triplet", dev=0)
    assert len(data.train) == 90
    assert all(data.train.third)


@pytest.mark.parametrize(
    ("loss", "header", "rows", "message"),
    [
        ("cosine", "text_a,text_b", [("a", "b"), ("c", "d")], "a label or score is needed for each row"),
        ("softmax", "text_a,text_b", [("a", "b"), ("c", "d")], "name its column with .label."),
        ("cosine", "text_a,text_b,score", [("a", "b", "1"), ("c", "d", "high")], "'high' is not a number"),
        ("cosine", "text_a,text_b,score", [("a", "b", "1"), ("c", "d", "nan")], "'nan' is not a number"),
        ("cosine", "text_a,text_b,score", [("a", "b", "1"), ("c", "d", "1")], "every row has the score 1"),
        ("cosine", "text_a,text_b,score", [("a", "b", "-4"), ("c", "d", "1")], "not on the scale of a cosine"),
        ("softmax", "text_a,text_b,label", [("a", "b", "x"), ("c", "d", "x")], "every row has the label 'x'"),
        ("triplet", "text_a,text_b", [("a", "b"), ("c", "d")], "needs a third text in each row"),
        ("ranking", "text_a,text_b", [("a", "b")], "1 row is left to learn from"),
        ("ranking", "text_a,text_b,label", [("a", "b", "x"), ("c", "d", "y")], "no label in 'label' is one"),
        ("ranking", "text_a,text_b", [("a", " "), ("c", "d")], "1 of 2 rows has an empty 'text_b' \\(line 2\\)"),
        ("ranking", "one,two", [("a", "b"), ("c", "d")], "which columns hold the two texts"),
        ("ranking", "text_a,text_b", [("a", "b" * 1_000_001), ("c", "d")], "a text of 1,000,001 characters"),
    ],
)
def test_what_a_loss_lacks_is_one_error(tmp_path, loss, header, rows, message):
    with pytest.raises(BadInput, match=message):
        read(write(tmp_path / "x.csv", header.split(","), rows), loss)
