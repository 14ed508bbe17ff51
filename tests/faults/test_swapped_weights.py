"""Weights swapped for others of the same size and time, as images of containers have them, are other weights."""

import os

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.models.embed import EmbedSettings, embed
from wordworth.models.embedded_parts import Parts
from wordworth.sources import digest, resolve


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.txt"
    write(path, "0.25")
    return path


def write(path, number):
    """A table of two words; always of the same size and time, as `swap` leaves it."""
    path.write_text(f"one {number} 0.50\ntwo 0.75 {number}\n")
    os.utime(path, (1, 1))


def test_a_swapped_file_of_fixed_time_has_another_digest(table):
    first = digest(table)
    write(table, "0.99")
    assert digest(table) == sha256(table) != first


def test_a_damaged_note_of_a_digest_is_not_believed(table, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    digest(table)
    (note,) = (tmp_path / "cache" / "digests").iterdir()
    note.write_text("0" + note.read_text()[1:] if note.read_text()[0] != "0" else "1" + note.read_text()[1:])
    assert digest(table) == sha256(table)


def test_parts_of_other_weights_are_not_taken_up_whatever_the_shortcut_says(table, tmp_path, monkeypatch):
    texts, out = tmp_path / "texts.txt", tmp_path / "out.npy"
    texts.write_text("one\ntwo\none two\n")
    model = tmp_path / "model.vec"
    table.rename(model)
    settings, write_part = EmbedSettings(model=str(model), rows=1), Parts.write
    monkeypatch.setattr("wordworth.sources.digest", lambda _: "0" * 64)  # the shortcut sees no change
    assert set(resolve(str(model)).sha256.values()) == {"0" * 64}

    def stop(parts, number, vectors):
        if number == 1:
            raise KeyboardInterrupt
        write_part(parts, number, vectors)

    with monkeypatch.context() as stopped:
        stopped.setattr(Parts, "write", stop)
        with pytest.raises(KeyboardInterrupt):
            embed(texts, out, settings)
    assert np.load(tmp_path / "out.npy.parts" / "00000000.npy").shape == (1, 2)
    write(model, "0.99")
    with pytest.raises(BadInput, match="made with another model"):
        embed(texts, out, settings)
