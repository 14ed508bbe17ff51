"""A model goes on with other text: its own pieces kept, more of them, or others."""

import pytest

from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.adapt import Pieces, adapt
from wordworth.training.pretraining.log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.settings import Pretraining

OTHERS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "zebra", ".")
RECIPE = ("adapt", ["batch=8", "lengths=16,16"])


@pytest.fixture(scope="module")
def model(corpus, other, tmp_path_factory):
    """A model that has learned a little."""
    out = tmp_path_factory.mktemp("model") / "given"
    changes = ["batch=8", "lengths=16,16", "sequences=pairs", "rate=0.01"]
    learned = recipe("modern", changes)
    pretrain(Pretraining(stores=(corpus,), held_out=other, out=out, shape="1x32", steps=40, recipe=learned, looks=1))
    return out


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("\n\n".join(["the zebra sees the fox here. the zebra likes the quagga today."] * 3 + ["a zebra."]))
    return path


def test_a_kept_vocabulary_starts_from_what_the_model_knows(model, other, tmp_path):
    alike = ("adapt", [*RECIPE[1], "sequences=pairs"])
    adapt(str(model), [other], out=tmp_path / "new", recipe=alike, steps=3, held_out=other, looks=1)
    looks = [row for row in read(tmp_path / "new" / "training") if row["kind"] == "look"]
    assert [row["step"] for row in looks] == [0, 3]
    (before,) = [row for row in read(model / "training") if row["kind"] == "look"]
    assert looks[0]["mlm"] == pytest.approx(before["mlm"], abs=0.02)
    assert looks[0]["nsp"] == pytest.approx(before["nsp"], abs=0.02)
    assert Tokenizer.read(tmp_path / "new").fingerprint == Tokenizer.read(model).fingerprint


def test_an_extended_vocabulary_has_the_new_words_behind_the_old_ones(model, notes, tmp_path):
    out = tmp_path / "new"
    adapt(str(model), [notes], out=out, pieces=Pieces(vocabulary="extend", more=30), recipe=RECIPE, steps=2)
    old, new = Tokenizer.read(model), Tokenizer.read(out)
    assert all(new.pieces[piece] == index for piece, index in old.pieces.items())
    assert old.vocab_size < new.vocab_size <= old.vocab_size + 30
    assert len(new.ids(["zebra"], special=False)[0]) < len("zebra")
    assert read_checkpoint(out).model.config.vocab_size == new.vocab_size


def test_a_replaced_vocabulary_keeps_the_rows_of_pieces_that_both_have(model, notes, tmp_path):
    given = tmp_path / "tok"
    given.mkdir()
    (given / "vocab.txt").write_text("\n".join(OTHERS))
    pieces, out = Pieces(vocabulary="replace", tokenizer=given), tmp_path / "new"
    adapt(str(model), [notes], out=out, pieces=pieces, recipe=("adapt", [*RECIPE[1], "rate=1e-12"]), steps=1)
    was, now = (read_checkpoint(folder).model.embedding.word.weight for folder in (model, out))
    old, new = Tokenizer.read(model).pieces, Tokenizer.read(out).pieces
    assert was[old["the"]].tolist() == pytest.approx(now[new["the"]].tolist(), abs=1e-6)


def test_a_store_of_another_vocabulary_is_refused(model, notes, tmp_path):
    given = tmp_path / "tok"
    given.mkdir()
    (given / "vocab.txt").write_text("\n".join(OTHERS))
    adapt(
        str(model),
        [notes],
        out=tmp_path / "one",
        pieces=Pieces(vocabulary="replace", tokenizer=given),
        recipe=RECIPE,
        steps=1,
    )
    foreign = next((tmp_path / "one" / "training" / "corpora").iterdir())
    with pytest.raises(BadInput, match="another tokenizer"):
        adapt(str(model), [foreign], out=tmp_path / "two", recipe=RECIPE, steps=1)


def test_a_replacement_needs_a_tokenizer():
    with pytest.raises(BadInput, match="replaced by another"):
        Pieces(vocabulary="replace")
