"""From an encoder and a corpus to a table that loads again."""

import json

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput, NotFound
from wordworth.models.load import load
from wordworth.models.static.distillation import distill, to_static, vocabulary
from wordworth.models.static.distillation.distill import count_earlier
from wordworth.testing.sample_tasks import sample_task

TASK = sample_task("single")
TEXTS = TASK.examples.first[:40]
SMALL = {"least": 2, "width": 8}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiny")
    write_tiny_encoder(folder / "tiny")
    (folder / "texts.txt").write_text("\n\n".join(TEXTS) + "\n")
    return folder


def table(place, **settings):
    return to_static(place / "tiny", place / "texts.txt", **{**SMALL, **settings})


def states_of(place, word, layer):
    encoder = load(place / "tiny")
    states = encoder.states(TEXTS, layer)
    return states.layer(layer)[[found.lower() == word for found in states.words]]


def test_a_word_is_the_mean_of_its_occurrences(place):
    made = table(place, method="mean", layer=2, width=None, sif=None)
    word = made.entries[0]
    states = states_of(place, word, 2)
    assert len(states) > 5
    assert made.vectors[1] == pytest.approx(states.mean(0), abs=1e-4)


def test_a_word_is_the_principal_direction_of_its_occurrences(place):
    made = table(place, method="pc1", width=None, sif=None)
    word = made.entries[made.counts.words - 1]  # the rarest: the sketch holds all of it
    states = states_of(place, word, 1)
    direction = np.linalg.svd(states, full_matrices=False)[2][0]
    assert made.vectors[made.counts.words] == pytest.approx(direction * np.sign(direction @ states.sum(0)), abs=1e-4)


def test_words_beyond_the_vocabulary_are_spelled_in_pieces_where_these_stay(place, tmp_path):
    for back_off, known in ((True, True), (False, False)):
        table(place, back_off=back_off).save(tmp_path / str(back_off))
        assert load(tmp_path / str(back_off)).word_vectors(["qzx"])[1].tolist() == [known]


def test_at_most_so_many_occurrences_of_a_word_are_read_and_sentences_that_bring_none_passed_over(place, monkeypatch):
    monkeypatch.setattr(distill, "_SENTENCES", 4)
    some, all_of_them = table(place, occurrences=2).counts, table(place, occurrences=10**6).counts
    assert some.occurrences == 2 * some.words
    assert some.passed_over > 0
    assert some.sentences + some.passed_over == len(TEXTS)
    assert (all_of_them.sentences, all_of_them.passed_over) == (len(TEXTS), 0)
    assert all_of_them.occurrences == table(place).counts.occurrences > some.occurrences
    assert count_earlier(np.array([3, -1, 3, -1, 3, 0])).tolist() == [0, 0, 1, 1, 2, 0]


def test_pieces_need_no_corpus(place):
    made = to_static(place / "tiny", method="pieces", width=None, sif=None)
    encoder = load(place / "tiny")
    whole = next(entry for entry in made.entries if entry.isalpha() and len(entry) > 1)
    mean = encoder.pooled_layers([whole])[0, -1]  # over the piece and the special tokens, as model2vec
    assert made.vectors[1 + made.entries.index(whole)] == pytest.approx(mean, abs=1e-4)
    assert made.counts.words == 0
    with pytest.raises(BadInput, match="pieces are read without a corpus"):
        to_static(place / "tiny", place / "texts.txt", method="pieces")


def test_the_same_corpus_gives_the_same_bytes(place, tmp_path):
    for name in ("one", "two"):
        table(place).save(tmp_path / name)
    for file in ("model.safetensors", "tokenizer.json", "config.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_what_is_wrong_is_said(place, tmp_path):
    with pytest.raises(NotFound, match="layers 0 to 2"):
        table(place, layer=3)
    with pytest.raises(BadInput, match="no word of this corpus occurs 999 times"):
        table(place, least=999)
    with pytest.raises(BadInput, match="give 1 or more; 0 for the encoder's own"):
        table(place, width=-5)
    with pytest.raises(BadInput, match=r"add `sif` 0\.001 to a method"):
        table(place, method="sif")
    with pytest.raises(BadInput, match="did you mean 'mean'"):
        table(place, method="maen")
    table(place).save(tmp_path / "static")
    with pytest.raises(BadInput, match="a static table already"):
        to_static(tmp_path / "static", place / "texts.txt")


def test_the_layer_and_width_are_written_as_they_came_to_be(place, tmp_path):
    """A table is the same file whether its layer was asked for or is the usual one."""
    for name, asked in {"usual": {}, "asked": {"layer": 1}, "last": {"layer": -1}}.items():
        to_static(place / "tiny", place / "texts.txt", least=2, **asked).save(tmp_path / name)
    usual, asked, last = (
        json.loads((tmp_path / name / "config.json").read_text())["wordworth"] for name in ("usual", "asked", "last")
    )
    assert usual == asked
    assert (usual["layer"], last["layer"]) == (1, 2)
    assert usual["width"] == load(tmp_path / "usual").width


def test_a_width_that_cannot_be_is_told_before_the_encoder_reads(place, tmp_path, monkeypatch):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vocabulary, "read_sentences", lambda *_: pytest.fail("the corpus was read"))
        for asked in (
            {"width": 9999},
            {"width": 9999, "method": "pieces"},
            {"width": 8, "words": 3, "back_off": False},
        ):
            with pytest.raises(BadInput, match="components are too many"):
                to_static(place / "tiny", () if "method" in asked else place / "texts.txt", **asked)
    monkeypatch.setattr(distill._Reading, "vectors", None)
    (tmp_path / "few.txt").write_text("a film a film a film\n")
    with pytest.raises(BadInput, match="4 components are too many for 2 vectors"):
        to_static(place / "tiny", tmp_path / "few.txt", least=2, width=4, back_off=False)


def test_few_words_make_a_narrow_table_where_no_width_was_asked_for(place):
    made = to_static(place / "tiny", place / "texts.txt", least=2, words=5, back_off=False)
    assert made.vectors.shape == (6, 5)
    assert made.warnings


@pytest.mark.parametrize(("corpus", "out", "message"), [
    ("", None, "the path is empty; give a path, a pandas"),
    (5, None, "expected the path of a file or a table, got int"),
    ("nothere.csv", None, "nothere.csv: there is no such file or folder"),
    ("texts.txt", "t.npy", r"no table is written as \.npy"),
])  # fmt: skip
def test_what_is_no_corpus_or_no_place_for_a_table_is_refused_before_any_work(place, tmp_path, corpus, out, message):
    given = place / corpus if corpus == "texts.txt" else corpus
    with pytest.raises(BadInput, match=message):
        to_static(place / "tiny", given, out=out and tmp_path / out)
