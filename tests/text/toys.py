"""Small vocabularies written to files, and texts drawn from every script."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import tokenizers

from wordworth.seeds import child
from wordworth.text.tokenizer import Tokenizer

TOY = ["[UNK]", "[CLS]", "[SEP]", "want", "##want", "##ed", "wa", "un", "runn", "##ing", ","]
ALPHABETS = [
    *["abcdefghijklmnopqrstuvwxyz"] * 3,
    "aàáâäãåāAÀÉéÈÊëïîİıŁłßẞçÑñøŒœſ",
    " \t\n\r\x00\x07\x7f\x85\u00a0\u00ad\u1680\u2003\u200b\u200d\u2028\u2029\u202e\u3000\ufeff\ufffd",
    "".join(map(chr, range(33, 127))),
    "αβγΑΒΓΣσςίΰᾳᾼΩΩabc",
    "абвАБВЁйЇѣ",
    "אבגשָׁוֹםابتةًُّ",
    "中国字日本語々〇カタナひらー、。Ａｂ１",
    "한국어각힣ᄒ\u1161\u11ab",
    "e\u0301\u0300\u0323\u302e\u0f71\u0fb0\u3099a",
    "😀👍🏽👩‍💻🇫🇷☃€≠×°→",
    "กขคาำ็नमस्तेি",
]
"""Characters that tokenizers treat differently: scripts, accents, controls, marks, emoji."""


def _small() -> list[str]:
    """The special tokens, and most characters of the alphabets as a first and a later piece."""
    drawn_from = "".join(ALPHABETS)
    forms = drawn_from + drawn_from.lower() + unicodedata.normalize("NFD", drawn_from + drawn_from.lower())
    characters = [character for character in sorted(set(forms)) if not character.isspace()]
    kept = [character for index, character in enumerate(characters) if character.isascii() or index % 11]
    return [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *kept,
        *(f"##{character}" for character in kept),
        "the",
        "##ing",
    ]


SMALL = _small()


def write_vocabulary(folder: Path, pieces: list[str]) -> Path:
    path = folder / "vocab.txt"
    path.write_bytes("".join(f"{piece}\n" for piece in pieces).encode())
    return path


def drawn(count: int) -> Iterator[str]:
    """Texts from a mixture of alphabets, any code point among them; never one of the special tokens."""
    draw = child(0, "strings")
    for _ in range(count):
        parts = []
        for _ in range(draw.integers(1, 5)):
            size = int(draw.integers(1, 9))
            if draw.random() < 0.1:
                codes = draw.integers(0, sys.maxunicode + 1, size)
                parts.append("".join(chr(code) for code in codes if not 0xD800 <= code < 0xE000))
            else:
                alphabet = ALPHABETS[draw.integers(len(ALPHABETS))]
                parts.append("".join(alphabet[index] for index in draw.integers(len(alphabet), size=size)))
            parts.append(" " * int(draw.integers(0, 2)))
        yield "".join(parts)


@cache
def library(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    """Return the same tokenizer as the `tokenizers` library has it."""
    return tokenizers.Tokenizer.from_str(tokenizer.to_json())
