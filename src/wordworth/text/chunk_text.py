"""Very long texts in parts that read as the whole does.

The `tokenizers` library keeps hundreds of bytes for every character of the text in its hands; of a whole book that is
more memory than the model takes, of its pages one after the other it is next to none.
"""

from __future__ import annotations

import tokenizers
from tokenizers import normalizers, pre_tokenizers

PART = 1 << 14
"""Characters of a part, at least."""

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
    """Whether a blank between two visible characters always ends a piece and what stands behind it reads alone."""
    normalizer, splitter = library.normalizer, library.pre_tokenizer
    steps: list[object] = [splitter]
    if isinstance(splitter, pre_tokenizers.Sequence):
        steps = list(splitter)  # type: ignore[call-overload]  # iterable by its items, which its stub does not say
    if any(added.rstrip or " " in added.content for added in library.get_added_tokens_decoder().values()):
        return False
    marks = library.post_processor
    if getattr(marks, "trim_offsets", False) and getattr(marks, "add_prefix_space", False):
        return False  # offsets of a first piece, which every part has, would be trimmed otherwise
    by_character = normalizer is None or isinstance(normalizer, _BY_CHARACTER)
    return by_character and all(_breaks_at_blanks(step) for step in steps)


def is_word_local(library: tokenizers.Tokenizer) -> bool:
    """Whether a text's pieces are those of its words and ASCII punctuation marks, each read by itself, as BERT does.

    It takes the added tokens that are special for text, as `Tokenizer.literal` does.
    """
    splits = isinstance(library.pre_tokenizer, pre_tokenizers.BertPreTokenizer)
    by_character = library.normalizer is None or isinstance(library.normalizer, _BY_CHARACTER)
    return splits and by_character and all(added.special for added in library.get_added_tokens_decoder().values())


def part_starts(text: str, size: int = PART) -> list[int]:
    """Where each part begins: at a blank between two visible characters, at least `size` characters apart.

    >>> part_starts("one two  three four", 5)
    [0, 14]
    """
    starts = [0]
    place = text.find(" ", size)
    while 0 <= place < len(text) - 1:
        if not text[place - 1].isspace() and not text[place + 1].isspace():
            starts.append(place)
            place += size - 1
        place = text.find(" ", place + 1)
    return starts


def _breaks_at_blanks(step: object) -> bool:
    if isinstance(step, pre_tokenizers.ByteLevel):
        return bool(step.use_regex) and not step.add_prefix_space
    return isinstance(step, _BY_BLANK)
