"""Likelihoods of options: the whole text, what follows, an ending after its context; by each kind of model."""

import numpy as np
import pytest
from tests.models.language_models import a_language_model

from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.progress import SILENT, NoProgress
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.likelihood_scores import (
    ALONE,
    PARTIAL,
    PER_PIECE,
    WHOLE,
    WITHIN_WORDS,
    likelihood_scores,
)

ITEM = Choice("so ", ("a bab", "b"), " s", 0, "i")
ENDINGS = Choice("so ", ("a bab", "b s"), "", 0)


def asked(model, item, kind, **options):
    return likelihood_scores(model, ChoiceSet("s", kind, [item], "", "", 1), SILENT, **options)


@pytest.fixture(scope="module", params=["bert", "gpt2", "bilm"])
def model(request, tmp_path_factory):
    return a_language_model(tmp_path_factory.mktemp("models"), request.param)


def test_whole_texts_have_their_log_likelihood_and_its_form_within_words(model):
    scores = asked(model, ITEM, "pronouns")
    assert scores[WHOLE][0] == pytest.approx(log_likelihoods(model, ITEM.texts).logs, rel=1e-5)
    if model.reads == "masked":
        whole_words = log_likelihoods(model, ITEM.texts, hidden="rest_of_word").logs
        assert scores[WITHIN_WORDS][0] == pytest.approx(whole_words, rel=1e-5)
        assert abs(scores[WITHIN_WORDS][0][0] - scores[WHOLE][0][0]) > 1e-4  # bab has several pieces
    else:
        assert WITHIN_WORDS not in scores


def test_partial_scoring_counts_what_follows(tmp_path):
    model = a_language_model(tmp_path, "gpt2")
    scores = asked(model, ITEM, "pronouns")
    starts = log_likelihoods(model, ["so a bab", "so b"]).logs
    assert scores[PARTIAL][0] == pytest.approx(scores[WHOLE][0] - starts, rel=1e-4)


def test_endings_are_read_after_their_context(tmp_path):
    model = a_language_model(tmp_path, "gpt2")
    scores = asked(model, ENDINGS, "endings")
    (context,) = log_likelihoods(model, ["so"]).logs
    after = log_likelihoods(model, ENDINGS.texts).logs - context
    pieces = log_likelihoods(model, list(ENDINGS.options)).pieces
    assert scores[WHOLE][0] == pytest.approx(after, rel=1e-4)
    assert scores[PER_PIECE][0] == pytest.approx(after / pieces, rel=1e-4)
    alone = log_likelihoods(model, list(ENDINGS.options))
    assert scores[ALONE][0] == pytest.approx(alone.logs / alone.pieces, rel=1e-4)


def test_a_twin_is_asked_for_less_and_an_ending_without_pieces_has_no_mean(model):
    assert ALONE not in asked(model, ENDINGS, "endings", twin=True)
    empty = asked(model, Choice("so ", ("", "b"), "", 1), "endings", twin=True)
    assert np.isnan(empty[PER_PIECE][0][0])


def test_every_pass_over_the_texts_has_a_title_of_its_own(model):
    titles = []

    class Titles(NoProgress):
        def step(self, title, total=None):
            titles.append(title)
            return super().step(title, total)

    for twin in (False, True):
        likelihood_scores(model, ChoiceSet("films", "endings", [ENDINGS], "", "", 1), Titles(), twin=twin)
    assert len(titles) == len(set(titles)) > 2
    assert all("films" in title for title in titles)
