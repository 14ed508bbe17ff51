"""The tokenizer of a static table: whole words first, then the pieces of the encoder where it uses WordPiece."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from wordworth.json_file import parse_json
from wordworth.text.tokenizer import Tokenizer

UNKNOWN = "[UNK]"


def is_wordpiece(tokenizer: Tokenizer) -> bool:
    """Whether the tokenizer is WordPiece: pieces inside a word are marked with `##`."""
    kind: object = parse_json(tokenizer.to_json())["model"].get("type")
    return kind == "WordPiece"


def table_tokenizer(tokenizer: Tokenizer, entries: Sequence[str]) -> str:
    """The text of a `tokenizer.json` that maps texts to rows of a table: entry i is row i + 1.

    Row 0 is the unknown token. Where the encoder uses WordPiece, text is normalised and split as its tokenizer does,
    and the longest entry from the left is taken first, so that a word among the entries is always found whole. With any
    other encoder, text is split at spaces and punctuation, and a word that is not an entry is unknown.

    Args:
        tokenizer: the encoder's tokenizer.
        entries: words, and pieces (`##` before those inside a word), without duplicates.
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
