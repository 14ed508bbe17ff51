"""Byte pairs: any text can be spelt, and comes back from its pieces."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.text.test_byte_pairs import decoded

from wordworth.errors import BadInput
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer

EXACTLY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@EXACTLY
@given(st.text(max_size=60))
@example("don't  stop\r\n\t 日本語 😀 é\u0301 \u00ad\u0000 İ ﬁ ① \u3000x")
@example("[MASK] is text too")
def test_a_text_comes_back_exactly_from_its_pieces(trained, text):
    literal = trained["byte-level"].tokenizer.literal()
    ids = literal.ids([text], special=False)[0]
    assert decoded_ids(literal, ids) == text


def decoded_ids(tokenizer, ids):
    class Read:
        """What `decoded` asks of a tokenizer, with the ids at hand."""

        tokens = tokenizer.tokens

        def encode(self, texts):  # noqa: ARG002 - as a tokenizer
            return [type("Tokens", (), {"ids": ids})]

    return decoded(Read(), "")


def test_nothing_is_unknown(trained):
    tokenizer = trained["byte-level"].tokenizer
    unknown = tokenizer.special_ids["unk"]
    assert trained["byte-level"].unknown == 0
    assert not any((ids == unknown).any() for ids in tokenizer.ids(["☃ 漢 ß \x00", "ʘ̃"]))


def test_special_tokens_and_the_256_bytes_come_first(trained):
    pieces = list(trained["byte-level"].tokenizer.vocabulary)
    assert pieces[:5] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert all(len(piece) == 1 for piece in pieces[5:261])
    assert all(len(piece) > 1 for piece in pieces[261:])


def test_fewer_pieces_than_bytes_are_refused_with_the_least_number(scripts, tmp_path):
    with pytest.raises(
        BadInput, match="260 pieces do not hold the 261 special tokens and single characters"
    ) as refused:
        train_tokenizer(scripts, tmp_path / "tok", TokenizerSettings(algorithm="byte-level", size=260))
    assert refused.value.mend == "give --size 261 or more"
    assert not (tmp_path / "tok").exists() or not any((tmp_path / "tok").iterdir())


def test_an_uncased_one_reads_without_case_and_accents(scripts, tmp_path):
    chosen = TokenizerSettings(algorithm="byte-level", size=300, lowercase=True)
    tokenizer = train_tokenizer(scripts, tmp_path / "tok", chosen).tokenizer
    assert tokenizer.lowercase
    assert tokenizer.ids(["DORNÉ"])[0].tolist() == tokenizer.ids(["dorne"])[0].tolist()
