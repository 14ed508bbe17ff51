"""Telling senses by the nearest centroid, held against the same done by hand."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.studies.senses.made_up import MadeUp, Static, made_up, permuted_within_words

from wordworth.progress import SILENT
from wordworth.studies.senses import scores
from wordworth.studies.senses.nearest_centroid import classify, fit_centroids
from wordworth.studies.word_explorer_tables import EMPTY


def told(of, model=MadeUp()):  # noqa: B008 - frozen
    return classify(model, of, fit_centroids(model, of, EMPTY, 10, SILENT), SILENT)


def vectors_of(of, model):
    """Each occurrence's unit vectors, [occurrences, layers, d]."""
    found = [model.vectors([of.sentences[s]])[:, start] for s, (start, _) in zip(of.sentence, of.span, strict=True)]
    return np.stack([one / np.linalg.norm(one, axis=-1, keepdims=True) for one in found])


def by_hand(of, model, occurrence):
    """The sense by layer, and the commonest, from all occurrences in other documents."""
    units, document = vectors_of(of, model), of.document[of.sentence]
    others = of.train_mask & (document != document[occurrence]) & (of.word == of.word[occurrence])
    senses, counts = np.unique(of.sense[others], return_counts=True)
    order = np.lexsort((senses, -counts))
    centroids = np.stack([units[others & (of.sense == sense)].mean(axis=0) for sense in senses[order]])
    centroids /= np.linalg.norm(centroids, axis=-1, keepdims=True)
    close = np.einsum("ld,sld->ls", units[occurrence], centroids)
    return senses[order][close.round(5).argmax(axis=1)], senses[order][0], len(senses)


@given(st.integers(0, 1_000))
@settings(max_examples=5, deadline=None)
def test_each_document_is_told_by_the_others_as_by_hand(seed):
    of, model = made_up(60, seed, documents=6), MadeUp()
    found = told(of, model)
    for place in range(0, 60, 7):
        nearest, frequent, candidates = by_hand(of, model, int(found.occurrence[place]))
        assert found.nearest[place].tolist() == nearest.tolist()
        assert found.frequent[place] == frequent
        assert found.candidates[place] == candidates


def test_what_context_shows_is_told_and_what_it_does_not_is_not():
    of = made_up(400)
    hits = scores.hits(of, told(of), seed=0)
    several = hits.several
    assert hits.right[several, 1].mean() > hits.frequent[several].mean() + 0.15
    assert hits.right[several, 0].mean() == hits.frequent[several].mean()
    assert hits.best == 1
    assert hits.chosen[several].mean() == hits.right[several, 1].mean()


def test_a_static_table_gives_the_most_frequent_sense_since_all_are_equally_near():
    of = made_up(200)
    found = told(of, Static())
    assert np.array_equal(found.nearest[:, 0], found.frequent)
    assert np.array_equal(found.tied[:, 0], found.candidates > 1)
    hits = scores.hits(of, found, seed=0)
    assert np.array_equal(hits.right[:, 0], hits.frequent)


def test_permuted_sense_labels_are_told_no_better_than_by_frequency():
    permuted = permuted_within_words(made_up(500), np.random.default_rng(1))
    hits = scores.hits(permuted, told(permuted), seed=0)
    assert hits.right[hits.several].mean(axis=0).max() < hits.frequent[hits.several].mean() + 0.05


def test_a_word_that_the_model_has_no_vector_of_gets_the_most_frequent_sense():
    of = made_up(200)
    found = told(of, MadeUp(unknown="bank"))
    mine = of.word[found.occurrence] == of.words.index("bank")
    assert (found.nearest[mine] == found.frequent[mine, None]).all()


def test_a_word_of_one_document_alone_is_not_answered():
    of = made_up(40, documents=1)
    found = told(of)
    assert (found.candidates == 0).all()
    assert (found.nearest == -1).all()
