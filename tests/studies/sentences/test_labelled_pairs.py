"""Pairs with a class each: their folds, and files that cannot be used."""

import numpy as np
import pytest
from tests.studies.sentences.pairs import labelled, made_pairs, study

from wordworth.errors import BadInput


def test_pairs_of_one_first_text_are_in_one_fold_and_every_pair_in_one():
    pairs = made_pairs(np.arange(120) % 2)
    folds = pairs.folds(0)
    assert sorted(np.concatenate(folds)) == list(range(120))
    for rows in folds:
        assert set(pairs.groups[rows]).isdisjoint(np.delete(pairs.groups, rows))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (labelled(90, ("yes",)), "'label' has 1 label;"),
        (labelled(90, tuple(map(str, range(60)))), "'label' has 60 different labels"),
        (labelled(30), "30 pairs, 15 of the rarest class, are too few"),
        ([{"text_a": "a", "text_b": "b"}] * 90, "a label or score is needed"),
        (labelled(90, tuple(f"{number / 4}" for number in range(15))), "'label' holds scores, not classes"),
        ([{**row, "text_a": "film"} for row in labelled(90)], "the pairs have 1 first text, .*; give pairs of 3 first"),
    ],
)
def test_labels_that_are_no_classes_and_too_few_pairs_are_refused(files, rows, message):
    with pytest.raises(BadInput, match=message):
        study(files, rows)


def test_too_few_pairs_of_a_larger_file_need_another_limit(files):
    with pytest.raises(BadInput, match=r"20 pairs, 1?[0-9] of the rarest class, are too few .*; give a larger `limit`"):
        study(files, labelled(90), limit=20)
