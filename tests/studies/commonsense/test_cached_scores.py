"""Scores are kept as each method ends; a study that was stopped reads them, and other texts have others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.progress import SILENT
from wordworth.studies.commonsense.cached_scores import cached_scores, packed, unpacked
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.study_result_cache import FinishedParts

SCORES = st.lists(st.none() | st.lists(st.floats(allow_nan=False), min_size=2, max_size=4).map(np.array), max_size=5)


@given(st.dictionaries(st.text("ab ,", max_size=4), SCORES, max_size=3))
def test_arrays_hold_the_scores_of_each_item_by_each_method(scores):
    again = unpacked(packed(scores))
    assert list(again) == list(scores)
    for method, items in scores.items():
        assert len(again[method]) == len(items)
        for one, other in zip(items, again[method], strict=True):
            assert (one is None) == (other is None)
            assert one is None or np.array_equal(one, other)


def items(*options):
    return ChoiceSet("s", "pronouns", [Choice("before ", options, " after", 0, "it")], "", "", 1)


@pytest.fixture
def calls():
    return []


def test_a_method_that_ended_is_not_asked_again_and_other_texts_are(calls):
    def compute():
        calls.append(1)
        return {"a method": [np.array([1.0, 2.0])]}

    parts = [FinishedParts.of("commonsense", SILENT, "model") for _ in range(2)]
    first = cached_scores(parts[0], items("a", "b"), "name", compute)
    second = cached_scores(parts[1], items("a", "b"), "name", compute)
    assert np.array_equal(first["a method"][0], second["a method"][0])
    assert len(calls) == 1
    cached_scores(parts[1], items("a", "c"), "name", compute)
    cached_scores(parts[1], items("a", "b"), "another", compute)
    cached_scores(FinishedParts.of("commonsense", SILENT, "other model"), items("a", "b"), "name", compute)
    assert len(calls) == 4
