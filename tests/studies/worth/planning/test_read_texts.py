"""The unlabelled texts of a plan, and the labels so far."""

import numpy as np
import pytest
from tests.cli.terminal import reviews
from tests.studies.fake_ladder import task

from wordworth.errors import BadInput
from wordworth.studies.worth.planning.read_texts import LEAST_TEXTS, MOST_TEXTS, labels_so_far, read_texts, unlabelled
from wordworth.studies.worth.settings import WorthSettings
from wordworth.tasks.examples import Examples
from wordworth.tasks.reading.settings import ReadSettings

LABELLED = task(60)
"""Texts 0 to 59 have a label."""


def numbered(rows):
    return Examples(tuple(f"text {number} word{number % 50} label" for number in range(rows)))


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_with_a_label_repeated_and_empty_ones_are_left_out():
    texts = Examples((*numbered(200).first, *numbered(200).first[:150], "", "  "))
    left = unlabelled(texts, LABELLED, MOST_TEXTS, 0, "texts.csv")
    assert left.first == numbered(200).first[60:]


def test_a_labelled_text_is_known_again_in_other_letters():
    texts = Examples(tuple(text.upper() for text in numbered(200).first))
    assert len(unlabelled(texts, LABELLED, MOST_TEXTS, 0, "texts.csv")) == 140


def test_the_seed_draws_the_sample_in_the_order_of_the_file():
    drawn = [unlabelled(numbered(3_000), LABELLED, MOST_TEXTS, seed, "texts.csv").first for seed in (0, 0, 1)]
    assert len(drawn[0]) == MOST_TEXTS
    assert drawn[0] == drawn[1] != drawn[2]
    numbers = [int(text.split()[1]) for text in drawn[0]]
    assert numbers == sorted(numbers)
    assert np.mean(numbers) == pytest.approx(1_530, abs=100)
    assert len(unlabelled(numbered(3_000), LABELLED, 500, 0, "texts.csv")) == 500


def test_too_few_texts_are_refused():
    with pytest.raises(BadInput, match=rf"99 different texts without a label .* give {LEAST_TEXTS} or more"):
        unlabelled(numbered(159), LABELLED, MOST_TEXTS, 0, "texts.csv")


def test_pairs_have_the_columns_of_the_labelled_ones(tmp_path):
    path = written(tmp_path / "pairs.csv", "question,answer\n" + "why,so\n" * 3)
    texts, origin = read_texts(path, ReadSettings(), ("question", "answer"))
    assert (texts.first, texts.second) == (("why",) * 3, ("so",) * 3)
    assert (origin.path, origin.rows, len(origin.sha256)) == (str(path), 3, 64)


@pytest.mark.parametrize("header", ["text,id", "id,Text", "note"])
def test_the_column_of_texts_is_guessed(tmp_path, header):
    path = written(tmp_path / "texts.csv", f"{header}\n" + ",".join(["a b"] * len(header.split(","))) + "\n")
    assert read_texts(path, ReadSettings())[0].first == ("a b",)


@pytest.mark.parametrize(
    ("reading", "says"),
    [
        ({}, "which column holds the texts\\? there is 'id', 'note'; name it with `text`"),
        ({"text": "nope"}, "text column 'nope' not found"),
        ({"text": "id", "text_b": "nope"}, "text column 'nope' not found"),
    ],
)
def test_a_column_that_is_not_there_is_refused(tmp_path, reading, says):
    path = written(tmp_path / "texts.csv", "id,note\n1,a b\n")
    with pytest.raises(BadInput, match=says):
        read_texts(path, ReadSettings(**reading))


def test_a_text_that_no_model_reads_is_refused(tmp_path):
    path = written(tmp_path / "texts.csv", f"text\n{'a' * 1_000_001}\n")
    with pytest.raises(BadInput, match="a text of 1,000,001 characters"):
        read_texts(path, ReadSettings())


def test_labels_so_far_have_the_folds_of_the_study(tmp_path):
    labelled = labels_so_far(reviews(tmp_path / "some.csv", 60), ReadSettings(), WorthSettings(seeds=3))
    assert len(labelled.folds) == 3
    assert len(labelled.used) == 60


@pytest.mark.parametrize(
    ("rows", "says"),
    [(10, "10 rows are too few"), (49, "49 labels are too few for a plan; label 50 or more")],
)
def test_too_few_labels_are_refused(tmp_path, rows, says):
    with pytest.raises(BadInput, match=says):
        labels_so_far(reviews(tmp_path / "some.csv", rows), ReadSettings(), WorthSettings())


def test_labels_that_accuracy_does_not_measure_are_refused(tmp_path):
    rows = "\n".join(f"text {number} word,{number}.5" for number in range(80))
    path = written(tmp_path / "some.csv", f"text,score\n{rows}\n")
    with pytest.raises(BadInput, match=r"some\.csv: planning covers accuracy .* kind regression"):
        labels_so_far(path, ReadSettings(), WorthSettings())
