import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.models.static.distillation import to_static
from wordworth.models.static.distillation.distilled_table import Distilled, Notes, require_no_other_model
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.lookup import Subwords
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


def test_the_folder_loads_back_and_a_word_has_its_own_row(place, tmp_path):
    made = table(place, half=False)
    made.save(tmp_path / "static")
    back = load(tmp_path / "static")
    assert isinstance(back.lexicon, Subwords)
    vectors, known = back.word_vectors(made.entries[: made.counts.words])
    assert known.all()
    assert vectors == pytest.approx(made.vectors[1 : made.counts.words + 1], abs=1e-6)
    assert np.linalg.norm(back.encode([TEXTS[0]])) == pytest.approx(1, abs=1e-5)


def test_word2vec_text_holds_whole_words_and_loads_back(place, tmp_path):
    made = table(place)
    made.save(tmp_path / "v.txt")
    back = load(tmp_path / "v.txt")
    assert back.word_vectors(made.entries[:5])[0] == pytest.approx(made.vectors[1:6], rel=1e-4, abs=1e-6)
    assert not any(word.startswith("##") for word in back.lexicon.rows)


def test_a_table_is_shown_in_a_line(place):
    assert repr(table(place)).startswith("<Distilled from 'tiny': ")
    assert repr(load(place / "tiny").states(["a film"], layers=[0, 1])).startswith("<States: 2 words in 2 layers, ")


def small(**changes):
    """A table of two words and a piece, made by hand."""
    vectors = np.array([[0, 0], [1.5, 2], [0.1, -3], [7, 8]], np.float32)
    made = Distilled(
        encoder="tiny", layer=1, settings=DistilSettings(), entries=("film", "book", "##s"), vectors=vectors,
        tokenizer="{}", counts=Notes(words=2, pieces=1),
    )  # fmt: skip
    return replace(made, **changes)


def test_the_text_of_a_table_has_a_line_a_word_and_no_pieces(tmp_path):
    small().save(tmp_path / "table.vec")
    assert (tmp_path / "table.vec").read_text() == "2 2\nfilm 1.5 2\nbook 0.1 -3\n"


@pytest.mark.parametrize(("half", "dtype"), [(True, "float16"), (False, "float32")])
def test_a_folder_says_how_its_vectors_were_made_and_in_what_they_are_stored(half, dtype, tmp_path):
    small(settings=DistilSettings(half=half, method="mean")).save(tmp_path / "out")
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert (config["embedding_dtype"], config["hidden_dim"]) == (dtype, 2)
    made = config["wordworth"]
    assert (made["encoder"], made["layer"], made["method"], made["width"]) == ("tiny", 1, "mean", 2)
    assert (made["words"], made["pieces"], made["word_share"]) == (2, 1, None)
    (stored,) = load_file(tmp_path / "out" / "model.safetensors").values()
    assert stored.dtype == dtype
    assert np.allclose(stored, small().vectors, atol=1e-3)


def test_a_folder_with_a_record_or_another_model_is_not_written_over(tmp_path):
    require_no_other_model(tmp_path)
    small().save(tmp_path)
    require_no_other_model(tmp_path)
    for text, told in (('{"model_type": "bert"}', r"another model \(bert\)"), ("{", r"another model \(damaged\)")):
        (tmp_path / "config.json").write_text(text)
        with pytest.raises(BadInput, match=told):
            require_no_other_model(tmp_path)
    (tmp_path / "record.json").write_text("{}")
    with pytest.raises(BadInput, match="a study's record"):
        require_no_other_model(tmp_path)
