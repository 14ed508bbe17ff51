"""Every system's cosines are those of vectors that the model itself gives."""

from dataclasses import replace

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.pooling import SentenceHead
from wordworth.progress import SILENT, NoProgress
from wordworth.studies.sentences.pair_sets import read_sets
from wordworth.studies.sentences.settings import SentencesSettings
from wordworth.studies.sentences.systems import systems


def cosines(files, **choices):
    usual = {"model": str(files / "tiny"), "data": files / "pairs.csv", "other_models": (), **choices}
    settings = SentencesSettings(**usual)
    sets = read_sets(settings)
    scored = systems(settings, ww.load(settings.model), sets, SILENT)
    return {each.name: each.cosines["pairs.csv"] for each in scored}, sets[0]


@pytest.mark.parametrize("mode", ["mean", "cls", "max"])
def test_a_pooling_is_that_of_the_model_with_this_head(files, mode):
    own, pairs = cosines(files)
    encoder = replace(ww.load(files / "tiny"), head=SentenceHead((mode,)))
    first, second = (encoder.encode(side, normalize=True) for side in (pairs.first, pairs.second))
    assert np.abs(own.get(mode, own["own"]) - (first * second).sum(1)).max() < 1e-5


def test_controls_and_cut_vectors_stand_beside_and_the_models_own_pooling_is_not_scored_twice(files):
    own, pairs = cosines(files, dimensions=(8,))
    assert list(own) == ["own", "first 8 numbers", "cls", "max", "input layer, mean", "random weights"]
    first, second = (ww.load(files / "tiny").encode(side)[:, :8] for side in (pairs.first, pairs.second))
    expected = (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)
    assert np.abs(own["first 8 numbers"] - expected).max() < 1e-5
    assert not np.allclose(own["random weights"], own["own"])


def test_a_table_of_vectors_has_no_poolings_and_words_without_vectors_count_as_0(files, tmp_path):
    table = tmp_path / "table.txt"
    table.write_text("film 1 0 0\nbook 0 1 0\n")
    own, pairs = cosines(files, model=str(table))
    assert list(own) == ["own"]
    unknown = [not {"film", "book"} & set(text.split()) for text in pairs.first]
    assert any(unknown)
    assert (own["own"][unknown] == 0).all()


def test_vectors_cannot_be_cut_to_more_than_they_have(files):
    with pytest.raises(BadInput, match="have 32 numbers, not 64"):
        cosines(files, dimensions=(64,))


@pytest.mark.parametrize("choices", [{"other_models": ("nowhere",)}, {"dimensions": (64,)}])
def test_what_cannot_be_scored_is_refused_before_texts_are_embedded(files, monkeypatch, choices):
    monkeypatch.setattr("wordworth.studies.sentences.systems.encoded", lambda *_: pytest.fail("texts were embedded"))
    with pytest.raises(BadInput, match=r"nowhere|64"):
        cosines(files, **choices)


def test_the_whole_width_is_no_cut_and_a_note_says_so(files):
    notes = Notes()
    settings = SentencesSettings(
        model=str(files / "tiny"), data=files / "pairs.csv", other_models=(), dimensions=(32, 8)
    )
    scored = systems(settings, ww.load(settings.model), read_sets(settings), notes)
    assert [each.name for each in scored if each.role == "cut"] == ["first 8 numbers"]
    assert [note for note in notes.heard if "the first 32 are the whole vector" in note]


class Notes(NoProgress):
    """Progress that keeps the notes it receives."""

    def __init__(self):
        self.heard = []

    def note(self, message):
        self.heard.append(message)
