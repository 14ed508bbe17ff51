"""A model goes on with its own pieces kept, more of them, or others."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from wordworth.errors import BadInput
from wordworth.folder_lock import alone_in
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.load import load
from wordworth.models.pooling import Normalize, SentenceHead
from wordworth.models.save_encoder import save
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining import initial_model
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.initial_model import InitialModel, VocabularyChange
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.pretrain_and_adapt import adapt
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain

OTHERS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "zebra", ".")
RECIPE = ("adapt", ["batch_size=8", "lengths=16,16"])


def extend(more):
    return VocabularyChange(vocabulary="extend", new_subwords=more)


def test_a_kept_vocabulary_starts_from_what_the_model_knows(model, corpus, other, tmp_path):
    alike = ("adapt", [*RECIPE[1], "sequences=pairs"])
    adapt(str(model), [corpus], out=tmp_path / "new", recipe=alike, steps=3, held_out=other, evals=1)
    looks = [row for row in read(tmp_path / "new" / "training") if row["kind"] == "evaluation"]
    assert [row["step"] for row in looks] == [0, 3]
    (before,) = [row for row in read(model / "training") if row["kind"] == "evaluation"]
    assert looks[0]["mlm"] == pytest.approx(before["mlm"], abs=0.02)
    assert looks[0]["nsp"] == pytest.approx(before["nsp"], abs=0.02)
    assert Tokenizer.read(tmp_path / "new").fingerprint == Tokenizer.read(model).fingerprint


def test_an_extended_vocabulary_has_the_new_words_behind_the_old_ones(model, notes, tmp_path):
    out = tmp_path / "new"
    adapt(str(model), [notes], out=out, vocabulary=extend(30), recipe=RECIPE, steps=2)
    old, new = Tokenizer.read(model), Tokenizer.read(out)
    assert all(new.vocabulary[piece] == index for piece, index in old.vocabulary.items())
    assert old.vocab_size < new.vocab_size <= old.vocab_size + 30
    assert len(new.ids(["zebra"], special=False)[0]) < len("zebra")
    assert read_checkpoint(out).model.config.vocab_size == new.vocab_size


@pytest.mark.parametrize("more", [1, 100_000])
def test_however_many_pieces_are_wanted_text_gives_those_that_it_has(model, notes, tmp_path, more, heard):
    start = InitialModel(model=model, change=extend(more), corpora=[notes], reading=CorpusSettings())
    folder = start.folder(tmp_path / "training" / "start", heard)
    new = Tokenizer.read(folder).vocab_size - Tokenizer.read(model).vocab_size
    assert 1 <= new <= min(more, 1000)
    assert (f"this text has only {new:,} new subwords for the model, not {more:,}" in heard.notes) == (new < more)


def test_the_pieces_asked_for_are_found_although_the_commonest_of_the_text_are_known(model, notes, tmp_path):
    start = InitialModel(model=model, change=extend(None), corpora=[notes], reading=CorpusSettings())
    all_there_are = Tokenizer.read(start.folder(tmp_path / "all" / "start")).vocab_size
    few = replace(start, change=extend(all_there_are - Tokenizer.read(model).vocab_size))
    assert Tokenizer.read(few.folder(tmp_path / "few" / "start")).vocab_size == all_there_are


@pytest.mark.parametrize("vocabulary", ["keep", "replace"])
def test_a_number_of_pieces_is_refused_where_none_are_added(tmp_path, vocabulary):
    with pytest.raises(BadInput, match="only for extending a vocabulary"):
        VocabularyChange(vocabulary=vocabulary, new_subwords=9, tokenizer=tmp_path if vocabulary == "replace" else None)


def test_no_pieces_at_all_are_refused():
    with pytest.raises(BadInput, match=r"`new_subwords` 0.*give 1 or more"):
        extend(0)


def test_a_replaced_vocabulary_keeps_the_rows_of_pieces_that_both_have(model, notes, tmp_path):
    given = tmp_path / "tok"
    given.mkdir()
    (given / "vocab.txt").write_text("\n".join(OTHERS))
    pieces, out = VocabularyChange(vocabulary="replace", tokenizer=given), tmp_path / "new"
    adapt(
        str(model), [notes], out=out, vocabulary=pieces, recipe=("adapt", [*RECIPE[1], "learning_rate=1e-12"]), steps=1
    )
    was, now = (read_checkpoint(folder).model.embedding.word.weight for folder in (model, out))
    old, new = Tokenizer.read(model).vocabulary, Tokenizer.read(out).vocabulary
    assert was[old["the"]].tolist() == pytest.approx(now[new["the"]].tolist(), abs=1e-6)


def test_a_store_of_another_vocabulary_is_refused(model, notes, tmp_path):
    given = tmp_path / "tok"
    given.mkdir()
    (given / "vocab.txt").write_text("\n".join(OTHERS))
    adapt(
        str(model),
        [notes],
        out=tmp_path / "one",
        vocabulary=VocabularyChange(vocabulary="replace", tokenizer=given),
        recipe=RECIPE,
        steps=1,
    )
    foreign = next((tmp_path / "one" / "training" / "corpora").iterdir())
    with pytest.raises(BadInput, match="another tokenizer"):
        adapt(str(model), [foreign], out=tmp_path / "two", recipe=RECIPE, steps=1)


@pytest.mark.parametrize("pieces", [VocabularyChange(), extend(3)])
def test_a_sentence_encoder_that_goes_on_makes_sentence_vectors_as_before(model, notes, tmp_path, pieces):
    given = load(str(model))
    head = SentenceHead(modes=("cls",), steps=(Normalize(),))
    save(replace(given, head=head, max_length=12, prompt="query: "), tmp_path / "given")
    out = tmp_path / "new"
    adapt(str(tmp_path / "given"), [notes], out=out, vocabulary=pieces, recipe=RECIPE, steps=1)
    made = load(str(out))
    assert (made.head, made.max_length, made.prompt) == (head, 12, "query: ")
    assert "trained before it was continued" in (out / "README.md").read_text()
    assert "**Freshly initialised, as the model that it started from has none: mlm" in (out / "README.md").read_text()
    assert not list(out.rglob("*.part"))


def test_a_second_start_with_more_pieces_is_refused_at_once(model, notes, tmp_path):
    out = tmp_path / "new"
    adapt(str(model), [notes], out=out, vocabulary=extend(3), recipe=RECIPE, steps=1)
    with alone_in(out / "training"), pytest.raises(BadInput, match="another process is at work"):
        adapt(str(model), [notes], out=out, vocabulary=extend(3), recipe=RECIPE, steps=2)


def test_a_replacement_needs_a_tokenizer():
    with pytest.raises(BadInput, match="needs a tokenizer"):
        VocabularyChange(vocabulary="replace")


def finished(corpus, out, **changes):
    usual = {"model_size": "1x32", "steps": 2, "recipe": recipe("modern", RECIPE[1]), "evals": 1}
    pretrain(PretrainingConfig(stores=(corpus,), out=out, **{**usual, **changes}))
    return out


def test_a_start_made_of_something_else_is_not_gone_on_with(model, notes, corpus, tmp_path):
    def pieces(folder, most=30, corpora=(notes,), **changes):
        given = InitialModel(model=folder, change=extend(most), corpora=corpora, **changes)
        return given.folder(tmp_path / "out" / "training" / "start")

    plain = {"reading": CorpusSettings()}
    made = pieces(model, **plain)
    before = (made / "model.safetensors").stat().st_mtime_ns
    assert pieces(model, **plain) == made
    other = finished(corpus, tmp_path / "other")
    more = tmp_path / "more.txt"
    more.write_text("the quagga likes the zebra.")
    for said, again in (
        ("model", lambda: pieces(other, **plain)),
        ("number of new subwords", lambda: pieces(model, most=9, **plain)),
        ("corpus, or the same read by another tokenizer,", lambda: pieces(model, corpora=(more,), **plain)),
        ("layout", lambda: pieces(model, reading=CorpusSettings(layout="lines"))),
    ):
        with pytest.raises(BadInput, match=f"another {said} is here.*choose another `out`"):
            again()
    (made / "made_of.json").unlink()
    with pytest.raises(BadInput, match="another model is here"):
        pieces(model, **plain)
    assert (made / "model.safetensors").stat().st_mtime_ns == before


def test_of_processes_that_want_the_same_start_at_once_one_makes_it(model, notes, tmp_path, monkeypatch):
    """As torchrun starts them. The locks of threads keep each other out as those of processes do."""
    made, transfer = [], initial_model.with_vocabulary

    def slowly(model, old, new):
        made.append(new)
        time.sleep(0.3)
        return transfer(model, old, new)

    monkeypatch.setattr(initial_model, "with_vocabulary", slowly)
    start = InitialModel(
        model=model,
        change=VocabularyChange(vocabulary="extend", new_subwords=30),
        corpora=[notes],
        reading=CorpusSettings(),
    )
    place = tmp_path / "training" / "start"
    with ThreadPoolExecutor(3) as several:
        assert list(several.map(start.folder, [place] * 3)) == [place] * 3
    assert len(made) == 1


def test_a_vocabulary_is_not_extended_by_text_that_is_tokens_already(model, other, tmp_path):
    with pytest.raises(BadInput, match="a token store of the old vocabulary"):
        adapt(
            str(model),
            [other],
            out=tmp_path / "new",
            vocabulary=VocabularyChange(vocabulary="extend"),
            recipe=RECIPE,
            steps=1,
        )
    assert not (tmp_path / "new").exists()
