"""A WordPiece vocabulary grows by the pieces of another: old ids stay, new ones follow."""

from __future__ import annotations

import json
from collections.abc import Iterable

import tokenizers

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_files import Opened


def extended(tokenizer: Tokenizer, pieces: Iterable[str]) -> Tokenizer:
    """The same tokenizer with more pieces; those that it has already are passed over.

    Words are read with the longest pieces from the left, so a word in which a new piece fits is read differently from
    now on; all other words are read as before.

    Raises:
        BadInput: it is no WordPiece tokenizer.
    """
    whole = parse_json(tokenizer.to_json())
    if whole["model"].get("type") != "WordPiece":
        what = f"a vocabulary of the kind {whole['model'].get('type')} cannot be extended piece by piece"
        raise BadInput(what, mend="replace it, or use a model with a WordPiece vocabulary")
    vocabulary = whole["model"]["vocab"]
    fresh = [piece for piece in dict.fromkeys(pieces) if piece not in tokenizer.pieces]
    vocabulary |= {piece: tokenizer.vocab_size + number for number, piece in enumerate(fresh)}
    return Tokenizer(Opened(tokenizers.Tokenizer.from_str(json.dumps(whole)), tokenizer.special_tokens))


def unknown_pieces(tokenizer: Tokenizer, other: Tokenizer, most: int) -> list[str]:
    """Pieces of `other` that a tokenizer lacks, at most so many, in the order of their ids.

    A vocabulary that was trained holds its pieces in the order in which they were merged: the most frequent first.
    """
    marks = set(other.special_tokens.values())
    return [piece for piece in other.pieces if piece not in tokenizer.pieces and piece not in marks][:most]
