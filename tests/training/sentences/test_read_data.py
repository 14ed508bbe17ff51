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

SCORES = [(f"a{number}", "b", f"{number / 4}") for number in range(12)]


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


def test_a_dev_file_whose_classes_are_numbers_is_judged_by_the_loss(tmp_path):
    """NLI is published with the classes 0, 1 and 2, which are no scores."""
    pairs = [(f"text {number}", f"other {number}", str(number % 3)) for number in range(30)]
    nli = write(tmp_path / "nli.csv", ["text_a", "text_b", "label"], pairs)
    data = read(nli, "softmax", dev=nli)
    assert data.scores is None
    assert data.targets(data.dev, LOSSES.get("softmax")).tolist() == [number % 3 for number in range(30)]
    assert len(read(nli, "ranking", dev=nli, positive="0").dev) == 10
    assert len(read(nli, "softmax", dev=scored(tmp_path / "sts.csv")).scores) == 90


def test_a_dev_file_without_a_negative_is_refused(tmp_path):
    dev = write(tmp_path / "dev.csv", ["text_a", "text_b"], [("the same text", f"other {n}") for n in range(30)])
    with pytest.raises(BadInput, match=r"dev.csv: no row has a negative"):
        read(labelled(tmp_path / "nli.csv"), "ranking", dev=dev)


def test_a_score_of_a_dev_file_that_is_not_a_number_is_named_with_its_line(tmp_path):
    pairs = [("a", "b", "4.5"), ("c", "d", "1"), ("e", "f", "nan"), ("g", "h", "0")]
    dev = write(tmp_path / "dev.csv", ["text_a", "text_b", "score"], pairs)
    with pytest.raises(BadInput, match=r"dev.csv: 1 of 4 rows has no 'score' \(line 4\)"):
        read(labelled(tmp_path / "nli.csv"), "ranking", dev=dev)


@pytest.mark.parametrize(("second", "taken"), [("e", 3), ("b", 2)], ids=["another text", "a third text"])
def test_one_negative_is_enough_for_the_ranking_loss(tmp_path, second, taken):
    triples = [("a", "b", "" if second == "e" else "x"), ("a", second, ""), ("d", "b", "")][:taken]
    assert len(read(write(tmp_path / "x.csv", ["anchor", "positive", "negative"], triples), "ranking").train) == taken


def test_whole_numbers_are_classes_for_the_softmax_loss(tmp_path):
    pairs = [(f"a{number}", "b", str(number)) for number in range(12)]
    assert len(read(write(tmp_path / "x.csv", ["text_a", "text_b", "label"], pairs), "softmax").classes) == 12


def test_rows_without_a_third_text_are_left_out_and_counted(tmp_path):
    triples = [("a", "b", "c"), ("d", "e", ""), ("f", "g", "h")]
    data = read(write(tmp_path / "x.csv", ["anchor", "positive", "negative"], triples), "triplet")
    note = next(note for note in data.notes if note.name == "warning.no_third")
    assert note.text == "1 of 3 rows has no third text and is left out."
    assert note.numbers == {"rows": 1, "of": 3}


@pytest.mark.parametrize(("highest", "warns"), [("5", False), ("999999999", True)])
def test_a_scale_that_hangs_on_a_single_score_is_warned_of(tmp_path, highest, warns):
    pairs = [("a", "b", "3"), ("c", "d", highest), ("e", "f", "1")]
    notes = read(write(tmp_path / "x.csv", ["text_a", "text_b", "score"], pairs), "cosine").notes
    warnings = [note.text for note in notes if note.name == "warning.scale"]
    expected = "The score 999999999 (line 3) is more than twice any other: divided by it, all others are at most 3e-09."
    assert warnings == ([expected] if warns else [])


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
        ("cosine", "text_a,text_b,score", [("a", "b", "1"), ("c", "d", "inf")], "'inf' is not a number"),
        ("cosine", "text_a,text_b,score", [("a", "b", "1"), ("c", "d", "nan")], "1 of 2 rows has no 'score' .line 3."),
        ("cosine", "text_a,text_b,score", [("a", "b", "1"), ("c", "d", "1")], "every row has the score 1"),
        ("cosine", "text_a,text_b,score", [("a", "b", "-4"), ("c", "d", "1")], "not on the scale of a cosine"),
        ("softmax", "text_a,text_b,label", [("a", "b", "x"), ("c", "d", "x")], "every row has the label 'x'"),
        ("triplet", "text_a,text_b", [("a", "b"), ("c", "d")], "needs a third text in each row"),
        ("softmax", "text_a,text_b,score", SCORES, "'score' holds scores, .*choose `loss` cosine"),
        ("ranking", "text_a,text_b", [("a", "b")], "1 row is left to learn from"),
        ("ranking", "text_a,text_b", [("a", "b"), ("a", "c"), ("a", "d")], "x.csv: no row has a negative"),
        ("ranking", "text_a,text_b", [("a", "b")] * 3, "x.csv: no row has a negative"),
        ("ranking", "text_a,text_b", [("a", "b"), ("b", "a")], "x.csv: no row has a negative"),
        ("ranking", "text_a,text_b,label", [("a", "b", "x"), ("c", "d", "y")], "no label in 'label' is one"),
        ("ranking", "text_a,text_b", [("a", " "), ("c", "d")], "1 of 2 rows has an empty 'text_b' \\(line 2\\)"),
        ("ranking", "one,two", [("a", "b"), ("c", "d")], "which columns hold the two texts"),
        ("ranking", "text_a,text_b", [("a", "b" * 1_000_001), ("c", "d")], "a text of 1,000,001 characters"),
    ],
)
def test_what_a_loss_lacks_is_one_error(tmp_path, loss, header, rows, message):
    with pytest.raises(BadInput, match=message):
        read(write(tmp_path / "x.csv", header.split(","), rows), loss)
