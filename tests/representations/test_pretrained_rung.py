"""A pretrained rung is loaded once, by its name."""

import pytest

from wordworth.errors import BadInput
from wordworth.representations.pretrained_rung import features_learner, learns, pretrained, unlabelled
from wordworth.representations.rung import RunContext
from wordworth.representations.rung_by_name import rung_of


def test_the_same_name_gives_the_same_model(tiny_folder):
    first, second = (pretrained(tiny_folder, 0, "float32") for _ in range(2))
    assert first is second
    assert first.key


def test_only_what_reads_training_texts_learns(tiny_folder):
    assert not learns(pretrained(tiny_folder, 0, "float32").learner)
    tfidf = features_learner(rung_of("tfidf", "classification"), unlabelled(("a text",)), RunContext())
    assert learns(tfidf)


def test_a_constant_gives_no_features():
    with pytest.raises(BadInput, match="gives no features of texts"):
        features_learner(rung_of("majority", "classification"), unlabelled(("a", "b")), RunContext())
