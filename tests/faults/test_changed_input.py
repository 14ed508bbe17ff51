"""A file of texts that another program changes while its vectors are computed: nothing is written that is not of it."""

from contextlib import contextmanager

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput

LINES = [f"{word}\n" for word in ("one", "two") * 60]
CHANGES = {
    "appended": [*LINES, "two\n", "one\n"],
    "cut short": LINES[:1],
    "edited": [*LINES[:-1], "one\n"],
}


class Meddling:
    """A `Progress` that rewrites a file when the step whose title begins with `title` starts."""

    def __init__(self, path, title, lines):
        self.path, self.title, self.lines = path, title, lines

    @contextmanager
    def step(self, title, total=None):  # noqa: ARG002 - as every Progress
        if title.startswith(self.title):
            self.path.write_text("".join(self.lines))
        yield self

    def advance(self, amount=1):
        """Count nothing."""

    def skip(self, amount):
        """Count nothing."""

    def note(self, message):
        """Show nothing."""


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("".join(LINES))
    (tmp_path / "table.txt").write_text("one 0.25 0.5\ntwo 0.5 0.25\n")
    return path


@pytest.mark.parametrize("lines", CHANGES.values(), ids=CHANGES)
def test_a_file_that_changes_while_it_is_embedded_is_refused_and_nothing_is_left(tmp_path, texts, lines):
    meddling, out = Meddling(texts, "embedding", lines), tmp_path / "vectors.npy"
    with pytest.raises(BadInput, match=r"texts\.txt: the file changed while it was read; run again when it is whole"):
        ww.embed(texts, out, model=tmp_path / "table.txt", progress=meddling)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table.txt", "texts.txt"]
    assert ww.embed(texts, out, model=tmp_path / "table.txt").rows == len(np.load(out)) == len(lines)


@pytest.mark.parametrize("lines", CHANGES.values(), ids=CHANGES)
def test_vectors_in_memory_are_of_the_file_as_it_was_at_the_start(tmp_path, texts, lines):
    with pytest.raises(BadInput, match=r"texts\.txt: the file changed while it was read"):
        ww.embed(texts, model=tmp_path / "table.txt", progress=Meddling(texts, "embedding", lines))


@pytest.mark.parametrize("title", ["embedding", "writing the index"])
@pytest.mark.parametrize("lines", CHANGES.values(), ids=CHANGES)
def test_no_index_has_texts_beside_vectors_of_other_texts(tmp_path, texts, lines, title):
    with pytest.raises(BadInput, match=r"texts\.txt: the file changed while it was read"):
        ww.build_index(texts, tmp_path / "index", model=tmp_path / "table.txt", progress=Meddling(texts, title, lines))
    with pytest.raises(BadInput, match="there is no index here"):
        ww.load_index(tmp_path / "index")
