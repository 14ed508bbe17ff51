"""Another vocabulary for a model: what both know stays, what is new begins as the mean of its old pieces."""

import numpy as np
import pytest
import torch
from tests.models.language_models import made_up, write_language_model
from tests.models.tiny import PIECES, write_tiny

from wordworth.errors import BadInput
from wordworth.models.batch import pack
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.language_model import language_model
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.vocabulary_transfer import plan_transfer, with_vocabulary
from wordworth.text.derived_tokenizers import extend_vocabulary, missing_pieces
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import save_tokenizer


def tokenizer_of(folder, pieces):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    return Tokenizer.read(folder)


@pytest.fixture
def old(tmp_path):
    return tokenizer_of(tmp_path / "old", PIECES)


def rows_of(old, *pieces):
    return [old.vocabulary[piece] for piece in pieces]


def test_an_extended_tokenizer_keeps_its_ids_and_reads_new_pieces_whole(old):
    new = extend_vocabulary(old, ["cat", "the", "##abs", "cat"])
    assert new.vocab_size == old.vocab_size + 2
    assert {piece: new.vocabulary[piece] for piece in old.vocabulary} == dict(old.vocabulary)
    assert new.special_ids == old.special_ids
    assert [new.token(piece) for piece in new.encode(["the cat xabs [MASK]"])[0].ids] == [
        *("[CLS]", "the", "cat", "x", "##abs", "[MASK]", "[SEP]")
    ]
    assert new.encode(["the zoo."])[0].ids.tolist() == old.encode(["the zoo."])[0].ids.tolist()


def test_unknown_pieces_are_those_of_the_other_vocabulary_most_frequent_first(old, tmp_path):
    other = tokenizer_of(
        tmp_path / "other", ["[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##ab", "dog"]
    )
    assert missing_pieces(old, other, 2) == ["cat", "##ab"]
    assert missing_pieces(old, other, 9) == ["cat", "##ab", "dog"]


def test_only_wordpiece_grows_piece_by_piece(tmp_path):
    (tmp_path / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2, "<|endoftext|>": 3}')
    (tmp_path / "merges.txt").write_text("a b\n")
    with pytest.raises(BadInput, match="BPE"):
        extend_vocabulary(Tokenizer.read(tmp_path), ["c"])


def test_each_new_row_is_the_mean_of_its_old_pieces(old, tmp_path):
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##ab", "cab", "q", "日", "##日"]
    new = tokenizer_of(tmp_path / "new", pieces)
    transfer = plan_transfer(old, new)
    table = torch.randn(old.vocab_size + 3, 7)  # rows beyond the vocabulary are no one's
    found = transfer.rows(table)
    mean = table[: old.vocab_size].mean(0)
    expected = [
        *(table[old.special_ids[role]] for role in ("pad", "unk", "cls", "sep", "mask")),
        table[old.vocabulary["the"]],
        table[rows_of(old, "##a", "##b")].mean(0),
        table[rows_of(old, "c", "##a", "##b")].mean(0),
        table[old.vocabulary["q"]],
        mean,
        mean,
    ]
    assert torch.allclose(found, torch.stack(expected), atol=1e-6)
    assert (transfer.shared, transfer.spelt, transfer.unknown) == (7, 2, 2)
    assert torch.allclose(transfer.rows(table[:, 0]), found[:, 0], atol=1e-6)  # biases likewise


def test_a_vocabulary_that_marks_words_otherwise_is_read_as_text(old, tmp_path):
    (tmp_path / "vocab.json").write_text('{"a": 0, "b": 1, "\u0120t": 2, "he": 3, "\u0120the": 4, "<|endoftext|>": 5}')
    (tmp_path / "merges.txt").write_text("\u0120t he\n")
    transfer = plan_transfer(old, Tokenizer.read(tmp_path))
    by_owner = {owner: transfer.old_rows[transfer.new_rows == owner].tolist() for owner in range(6)}
    assert by_owner[4] == rows_of(old, "the")
    assert by_owner[2] == rows_of(old, "t")


@pytest.mark.parametrize("kind", ["bert", "gpt2", "bilm"])
def test_an_extended_model_answers_as_before_where_no_new_piece_is_read(kind, old):
    given = made_up(kind)
    new = extend_vocabulary(old, ["cat", "##abs"])
    made, transfer = with_vocabulary(given, old, new)
    assert made.model.config.vocab_size == len(PIECES) + 2 == transfer.new_size
    batch = pack(old.encode(["the zoo, a b c.", "yes?"]))
    assert torch.equal(made.model(batch), given.model(batch))
    for name, tensor in given.heads.items():
        same = made.heads[name][: len(PIECES)] if made.heads[name].shape != tensor.shape else made.heads[name]
        assert torch.equal(same, tensor)
    assert given.model.config.vocab_size == len(PIECES)


def test_a_replaced_vocabulary_is_saved_and_loaded_again(old, tmp_path):
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefgh", "the", "##ab", "cab", "##a", "##b"]
    new = tokenizer_of(tmp_path / "new", pieces)
    made, _ = with_vocabulary(made_up("bert"), old, new)
    write_checkpoint(made, tmp_path / "new", architecture="BertForMaskedLM")
    save_tokenizer(new, tmp_path / "new")
    found = language_model(tmp_path / "new")
    batch = pack(found.tokenizer.encode(["the cab"]))
    assert torch.equal(found.encoder(batch), made.model(batch))
    assert found.tokenizer.encode(["the cab"])[0].ids.tolist() == [2, 13, 15, 3]


def test_weights_that_lack_rows_and_a_moved_padding_token_are_refused(old, tmp_path):
    with pytest.raises(BadInput, match="the weights"):
        with_vocabulary(made_up("bert"), extend_vocabulary(old, ["cat"]), old)
    roberta = read_checkpoint(write_tiny(tmp_path / "roberta", "roberta"))
    moved = tokenizer_of(tmp_path / "moved", ["[PAD]", "[UNK]", *PIECES[2:]])
    with pytest.raises(BadInput, match="padding"):
        with_vocabulary(roberta, old, moved)


def test_ids_of_special_tokens_follow_the_new_vocabulary(old, tmp_path):
    folder = write_language_model(tmp_path / "bert", "bert")
    text = (folder / "config.json").read_text()
    (folder / "config.json").write_text(text.replace('"pad_token_id": 0', '"pad_token_id": 1'))
    new = tokenizer_of(tmp_path / "new", ["[PAD]", "[UNK]", *PIECES[2:]])
    made, _ = with_vocabulary(read_checkpoint(folder), old, new)
    assert made.raw["pad_token_id"] == 0
    assert np.array_equal(
        made.model.embedding.word.weight.detach()[0], read_checkpoint(folder).model.embedding.word.weight.detach()[1]
    )
