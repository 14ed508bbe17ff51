"""One sentence, once a call, in every door that gives vectors of a static table."""

import warnings

import numpy as np
import pytest

import wordworth as ww
from wordworth.models.zero_vector_warning import notify_of_zeros
from wordworth.sklearn import TextEncoder

TEXTS = ["word other", "unknown", "", "word", "neither known"] * 3


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.txt").write_text("word 3.0 4.0\nother 1.0 0.0\n")
    return str(tmp_path / "table.txt")


DOORS = {
    "encode": lambda table: ww.load(table).encode(TEXTS, batch_size=2),
    "embed in memory": lambda table: ww.embed(TEXTS, model=table, rows=2),
    "embed to a file": lambda table: ww.embed(TEXTS, f"{table}.npy", model=table, rows=2),
    "fit of a transformer": lambda table: TextEncoder(table).fit_transform(TEXTS),
    "view of a transformer": lambda table: TextEncoder(table, view="mean-max").fit(TEXTS[:1]).transform(TEXTS),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_door_warns_once_with_the_number_of_texts(door, table):
    with pytest.warns(ww.ZeroVectorWarning, match="9 of 15 texts have a vector of zeros.*cosine") as caught:
        DOORS[door](table)
    assert len(caught) == 1


def test_a_finished_file_of_vectors_that_is_left_warns_again(table, tmp_path):
    for _ in range(2):
        with pytest.warns(ww.ZeroVectorWarning, match="9 of 15") as caught:
            ww.embed(TEXTS, tmp_path / "v.npy", model=table)
        assert len(caught) == 1


def test_a_progress_notes_it_instead(table, heard, tmp_path):
    ww.load(table).encode(TEXTS, progress=heard)
    ww.embed(TEXTS, model=table, progress=heard)
    ww.embed(TEXTS, tmp_path / "v.npy", model=table, progress=heard)
    assert [note for note in heard.notes if "vector of zeros" in note] == [heard.notes[0]] * 3


def test_nothing_is_said_where_every_text_has_a_known_word(table):
    known = [text for text in TEXTS if "word" in text]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.all(ww.embed(known, model=table).any(axis=1))
        notify_of_zeros("table", 0, 3)


def test_one_text_is_said_in_the_singular():
    with pytest.warns(ww.ZeroVectorWarning, match="^1 of 1 text has a vector of zeros"):
        notify_of_zeros("table", 1, 1)
