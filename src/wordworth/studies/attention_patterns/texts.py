"""Texts to tokenize, read from a table or from the JSON of attention-analysis, the code of Clark et al. (2019)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import read_json
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens

KEYS = ("text", "words", "tokens")
"""Keys of an object of the JSON; it must have exactly one of them."""
Source = str | Mapping[str, Any]
_MEND = "give a list of objects with one of `text`, `words` and `tokens`"


def read_sources(path: Path, column: str) -> list[Source]:
    """Return the texts of a file that are not blank, each as a string or as a JSON object with one of `KEYS`.

    Args:
        path: a file of any known format, or a `.json` with a list of objects.
        column: the column of texts; it is ignored for a `.json`.

    Raises:
        BadInput: there is no such file or column, the format is unknown, or the file is damaged.
    """
    if path.suffix.lower() != ".json":
        return [text for _, text in iterate_texts(path, column) if text.strip()]
    items = read_json(path, _MEND)
    if not isinstance(items, list):
        raise BadInput("this JSON is not a list", where=str(path), mend=_MEND)
    for number, item in enumerate(items, start=1):
        _check(item, f"{path}, object {number}")
    return [item for item in items if any(item.get(key) for key in KEYS)]


def tokens_of(source: Source, tokenizer: TokenizerProtocol) -> Tokens:
    """Return the tokens of a text, special ones included.

    If the text is given as an object with `tokens`, these must include the special tokens. Two separators or more among
    the tokens mark a pair of texts: the tokens after the first separator get the segment id 1.

    Args:
        source: the text, as `read_sources` returns it.
        tokenizer: the tokenizer of the model.

    Raises:
        BadInput: a token is not in the vocabulary.
    """
    if isinstance(source, str):
        return tokenizer.encode([source])[0]
    if "text" in source:
        return tokenizer.encode([source["text"]])[0]
    if "words" in source:
        return tokenizer.encode_words([source["words"]])[0]
    return _known(source["tokens"], tokenizer)


def _check(item: object, where: str) -> None:
    keys = [key for key in KEYS if key in item] if isinstance(item, Mapping) else []
    if not isinstance(item, Mapping) or len(keys) != 1:
        what = f"{' and '.join(keys)} together" if len(keys) > 1 else "neither text, words nor tokens"
        raise BadInput(what, where=where, mend=_MEND)
    value = item[keys[0]]
    is_list = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if not (isinstance(value, str) if keys[0] == "text" else is_list):
        kind = "a string" if keys[0] == "text" else "a list of strings"
        raise BadInput(f"`{keys[0]}` is not {kind}", where=where, mend=_MEND)


def _known(pieces: Sequence[str], tokenizer: TokenizerProtocol) -> Tokens:
    vocabulary = tokenizer.vocabulary
    unknown = next((piece for piece in pieces if piece not in vocabulary), None)
    if unknown is not None:
        mend = "give `text` or `words`, or the model that these tokens were made for"
        raise BadInput(
            f"token {unknown!r:.40} is not in the vocabulary of the model", where=" ".join(pieces[:8]), mend=mend
        )
    ids = np.array([vocabulary[piece] for piece in pieces], np.int64)
    is_special = np.isin(ids, list(tokenizer.special_ids.values()))
    separators = (ids == tokenizer.special_ids.get("sep", -1)).cumsum()
    segments = np.where(np.arange(len(ids)) > np.argmax(separators > 0), np.minimum(separators, 1), 0)
    is_pair = separators[-1] > 1
    words = np.where(is_special, -1, (~is_special).cumsum() - 1).astype(np.int32)
    return Tokens(ids, (segments * is_pair).astype(np.int64), np.zeros((len(ids), 2), np.int32), words)
