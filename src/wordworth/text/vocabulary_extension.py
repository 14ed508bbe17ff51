"""Extend a WordPiece vocabulary by the pieces of another: old ids stay, new ones follow."""

from __future__ import annotations

import json
from collections.abc import Iterable

import tokenizers

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import Opened


def extended(tokenizer: Tokenizer, pieces: Iterable[str]) -> Tokenizer:
    """The same tokenizer with more pieces; pieces that it already has are skipped.

    Words are split into the longest pieces from the left, so a word that contains a new piece may be split differently
    from now on; all other words are split as before.

    Raises:
        BadInput: it is not a WordPiece tokenizer.
    """
    whole = parse_json(tokenizer.to_json())
    if whole["model"].get("type") != "WordPiece":
        what = f"only a WordPiece vocabulary can be extended, not one of type {whole['model'].get('type')}"
        raise BadInput(what, mend="replace it, or use a model with a WordPiece vocabulary")
    vocabulary = whole["model"]["vocab"]
    fresh = [piece for piece in dict.fromkeys(pieces) if piece not in tokenizer.pieces]
    vocabulary |= {piece: tokenizer.vocab_size + number for number, piece in enumerate(fresh)}
    return Tokenizer(Opened(tokenizers.Tokenizer.from_str(json.dumps(whole)), tokenizer.special_tokens))


def unknown_pieces(tokenizer: Tokenizer, other: Tokenizer, most: int) -> list[str]:
    """At most `most` pieces of `other` that a tokenizer lacks, in the order of their ids.

    A trained vocabulary holds its pieces in the order in which they were merged: the most frequent first.
    """
    marks = set(other.special_tokens.values())
    return [piece for piece in other.pieces if piece not in tokenizer.pieces and piece not in marks][:most]
