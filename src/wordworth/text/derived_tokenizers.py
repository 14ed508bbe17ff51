"""Tokenizers derived from another tokenizer: for a static table of word vectors, or with additional pieces."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import tokenizers

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import LoadedTokenizer

UNKNOWN = "[UNK]"


def is_wordpiece(tokenizer: Tokenizer) -> bool:
    """Return whether a tokenizer is WordPiece: pieces inside a word begin with `##`."""
    kind: object = parse_json(tokenizer.to_json())["model"].get("type")
    return kind == "WordPiece"


def table_tokenizer(tokenizer: Tokenizer, entries: Sequence[str]) -> str:
    """Return the text of a `tokenizer.json` that maps texts to the rows of a table of word vectors.

    Entry i of the table is row i + 1; row 0 is the unknown token. If `tokenizer` is WordPiece, the new tokenizer
    normalises and splits texts in the same way. It splits words into the longest entries from the left, so that a word
    among the entries is always read whole. Otherwise texts are split at spaces and punctuation, and a word that is not
    an entry is unknown.

    Args:
        tokenizer: the tokenizer of the encoder from which the vectors come.
        entries: words and pieces without duplicates; a piece inside a word begins with `##`.
    """
    vocabulary = {UNKNOWN: 0} | {entry: row for row, entry in enumerate(entries, start=1)}
    whole = parse_json(tokenizer.to_json())
    if not is_wordpiece(tokenizer):
        whole["normalizer"] = {"type": "Lowercase"} if tokenizer.lowercase else None
        whole["pre_tokenizer"] = {"type": "BertPreTokenizer"}
        whole["model"] = {"type": "WordLevel", "vocab": vocabulary, "unk_token": UNKNOWN}
        whole["decoder"] = None
    else:
        whole["model"] |= {"vocab": vocabulary, "unk_token": UNKNOWN}
    whole |= {"added_tokens": [_special(UNKNOWN)], "post_processor": None, "truncation": None, "padding": None}
    return json.dumps(whole, ensure_ascii=False)


def _special(token: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": 0, "content": token, **flags, "special": True}


def extend_vocabulary(tokenizer: Tokenizer, pieces: Iterable[str]) -> Tokenizer:
    """Return a copy of a WordPiece tokenizer with more pieces; pieces that it already has are skipped.

    Words are split into the longest pieces from the left, so the new tokenizer may split a word that contains a new
    piece differently; it splits all other words as before.

    Raises:
        BadInput: the tokenizer is not WordPiece.
    """
    whole = parse_json(tokenizer.to_json())
    if whole["model"].get("type") != "WordPiece":
        what = f"only a WordPiece vocabulary can be extended, not one of type {whole['model'].get('type')}"
        raise BadInput(what, mend="replace it, or use a model with a WordPiece vocabulary")
    vocabulary = whole["model"]["vocab"]
    fresh = [piece for piece in dict.fromkeys(pieces) if piece not in tokenizer.vocabulary]
    vocabulary |= {piece: tokenizer.vocab_size + number for number, piece in enumerate(fresh)}
    return Tokenizer(LoadedTokenizer(tokenizers.Tokenizer.from_str(json.dumps(whole)), tokenizer.special_tokens))


def missing_pieces(tokenizer: Tokenizer, other: Tokenizer, most: int) -> list[str]:
    """Return the first pieces of `other` that `tokenizer` lacks, in the order of their ids in `other`.

    A trained vocabulary has its pieces in the order in which they were merged, so that the most frequent ones are
    returned.

    Args:
        tokenizer: the tokenizer that lacks the pieces.
        other: the tokenizer that has the pieces.
        most: maximal number of pieces.
    """
    marks = set(other.special_tokens.values())
    return [piece for piece in other.vocabulary if piece not in tokenizer.vocabulary and piece not in marks][:most]
