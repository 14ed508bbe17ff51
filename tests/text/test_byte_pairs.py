"""Byte-level pieces: every byte has a visible character of its own, and a text comes back from its pieces."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from wordworth.text.tokenizer import Tokenizer

PRINTABLE = [*range(33, 127), *range(161, 173), *range(174, 256)]
OTHERS = [byte for byte in range(256) if byte not in PRINTABLE]
CHARACTER = {byte: chr(byte) for byte in PRINTABLE} | {byte: chr(0x100 + place) for place, byte in enumerate(OTHERS)}
"""As GPT-2's authors chose them; a character behind our door is one of these, else decoding fails."""
BYTE = {character: byte for byte, character in CHARACTER.items()}


def decoded(tokenizer: Tokenizer, text: str) -> str:
    (read,) = tokenizer.encode([text])
    return bytes(BYTE[character] for piece in tokenizer.tokens(read.ids) for character in piece).decode()


def test_every_byte_has_one_character_and_every_character_one_byte(gpt2: Tokenizer) -> None:
    single = {piece for piece in gpt2.vocabulary if len(piece) == 1}
    assert single == set(CHARACTER.values())
    assert len(single) == len(BYTE) == 256
    assert max(map(ord, single)) == 0x143
    assert [gpt2.tokens(gpt2.encode([text])[0].ids) for text in (" ", "\n")] == [["Ġ"], ["Ċ"]]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60))
@example("don't  stop\r\n\t 日本語 😀 é\u0301 \u00ad\u0000 ")
def test_a_text_comes_back_from_its_pieces(gpt2: Tokenizer, text: str) -> None:
    assert decoded(gpt2, text) == text
