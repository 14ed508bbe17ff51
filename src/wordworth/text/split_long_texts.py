"""Split very long texts into parts, so that the pieces of the parts are the pieces of the whole text.

The `tokenizers` library needs hundreds of bytes of memory for every character of a text. For a whole book this is more
memory than the model needs. For one part of the book at a time it is negligible.
"""

from __future__ import annotations

import tokenizers
from tokenizers import normalizers, pre_tokenizers

PART = 1 << 14
"""Minimum number of characters in a part."""

_BY_CHARACTER = (
    normalizers.BertNormalizer,
    normalizers.Lowercase,
    normalizers.NFC,
    normalizers.NFD,
    normalizers.NFKC,
    normalizers.NFKD,
    normalizers.Precompiled,
)
_BY_BLANK = (pre_tokenizers.BertPreTokenizer, pre_tokenizers.WhitespaceSplit, pre_tokenizers.Metaspace)


def can_split_anywhere(library: tokenizers.Tokenizer) -> bool:
    """Return whether cutting a text at a space between two visible characters never changes the pieces of the text.

    Args:
        library: the tokenizer that splits the text into pieces.
    """
    normalizer, splitter = library.normalizer, library.pre_tokenizer
    steps: list[object] = [splitter]
    if isinstance(splitter, pre_tokenizers.Sequence):
        steps = list(splitter)  # type: ignore[call-overload]  # iterable through __getitem__, which its stub does not declare
    if any(added.rstrip or " " in added.content for added in library.get_added_tokens_decoder().values()):
        return False
    marks = library.post_processor
    if getattr(marks, "trim_offsets", False) and getattr(marks, "add_prefix_space", False):
        return False  # the first piece of every part would have its offsets trimmed differently
    by_character = normalizer is None or isinstance(normalizer, _BY_CHARACTER)
    return by_character and all(_breaks_at_blanks(step) for step in steps)


def is_word_local(library: tokenizers.Tokenizer) -> bool:
    """Return whether the pieces of a word or ASCII punctuation mark never depend on its neighbours, as in BERT.

    Special tokens in a text count as plain text, as in `Tokenizer.literal`.

    Args:
        library: the tokenizer that splits texts into pieces.
    """
    splits = isinstance(library.pre_tokenizer, pre_tokenizers.BertPreTokenizer)
    by_character = library.normalizer is None or isinstance(library.normalizer, _BY_CHARACTER)
    return splits and by_character and all(added.special for added in library.get_added_tokens_decoder().values())


def part_starts(text: str, size: int = PART) -> list[int]:
    """Return the offset at which each part begins when a text is cut into parts; the first offset is 0.

    A text is cut only at spaces between visible characters.

    Args:
        text: the text.
        size: least number of characters in a part; the last part may have fewer.

    >>> part_starts("one two  three four", 5)
    [0, 14]
    """
    starts = [0]
    offset = text.find(" ", size)
    while 0 <= offset < len(text) - 1:
        if not text[offset - 1].isspace() and not text[offset + 1].isspace():
            starts.append(offset)
            offset += size - 1
        offset = text.find(" ", offset + 1)
    return starts


def _breaks_at_blanks(step: object) -> bool:
    if isinstance(step, pre_tokenizers.ByteLevel):
        return bool(step.use_regex) and not step.add_prefix_space
    return isinstance(step, _BY_BLANK)
