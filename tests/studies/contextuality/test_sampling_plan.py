"""Words and occurrences that are studied."""

import numpy as np
import pytest
from tests.studies.contextuality import made_up
from tests.studies.contextuality.made_up import SETTINGS

from wordworth.errors import BadInput
from wordworth.studies.contextuality.read_sentences import read_sentences
from wordworth.studies.contextuality.sampling_plan import list_occurrences, plan


def test_punctuation_and_words_without_a_vector_do_not_count(seen):
    assert "," not in seen.stream.forms
    assert "w7" not in seen.stream.forms


def test_only_words_in_enough_different_sentences_are_studied(seen):
    texts = made_up.sentences()
    for form in seen.plan.words:
        word = seen.stream.forms[form]
        assert sum(word in text.split() for text in texts) >= 5


def test_too_little_text_is_told(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("one sentence\nanother\n")
    with pytest.raises(BadInput, match="2 different sentences are too few"):
        read_sentences(path, "text", None, 0)
    of = list_occurrences(made_up.MadeUp().forms(("a b", "c d")), SETTINGS)
    with pytest.raises(BadInput, match="0 words occur in 5 or more"):
        plan(of, np.ones(2, np.int64), SETTINGS)
