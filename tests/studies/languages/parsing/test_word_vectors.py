from dataclasses import replace

import numpy as np
import pytest
from tests.studies.languages.parsing.treebank_files import write_folder

from wordworth.models.load import load
from wordworth.studies.languages.parsing.treebanks_by_language import parsed_languages, treebanks_in
from wordworth.studies.languages.parsing.word_vectors import (
    PLACE,
    SPELLING,
    EncoderVectors,
    SpellingVectors,
    positional_encoding,
)
from wordworth.studies.languages.settings import LanguagesSettings


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = write_folder(tmp_path_factory.mktemp("vectors") / "ud")
    return parsed_languages(treebanks_in(folder), LanguagesSettings(), folder)


def test_a_word_has_the_mean_of_its_pieces_in_every_layer(files, data):
    encoder = load(str(files / "tiny"))
    read = EncoderVectors(encoder, data).of(1, test=True)
    alone = encoder.word_states([data.test[1][3].words], pooling="mean").values
    np.testing.assert_allclose(read.sentence(3), alone.transpose(1, 0, 2), atol=1e-2)
    assert read.layers == encoder.depth + 1


def test_spellings_are_alike_for_the_same_words_and_tell_them_apart(data):
    twice = replace(data, train=(data.train[0][:1] * 2, *data.train[1:]))
    read = SpellingVectors(twice).of(0, test=False)
    words = data.train[0][0].words
    assert (read.layers, read.width) == (1, SPELLING + PLACE)
    assert read.ends.tolist() == [0, len(words), 2 * len(words)]
    assert np.array_equal(read.sentence(0), read.sentence(1))
    spelled = read.sentence(0)[:, 0, :SPELLING].astype(float)
    cosines = spelled @ spelled.T / np.outer(*[np.linalg.norm(spelled, axis=1)] * 2)
    assert np.abs(cosines[~np.eye(len(words), dtype=bool)]).max() < 0.7


def test_places_are_apart_and_equally_long():
    found = positional_encoding(40)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.sqrt(PLACE / 2))
    assert np.linalg.norm(found[1:] - found[:-1], axis=1).min() > 0.5
    np.testing.assert_allclose(found[5] @ found[9], found[20] @ found[24])  # by distance alone
