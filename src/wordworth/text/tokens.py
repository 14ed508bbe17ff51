"""`Tokens`: a text as token ids, with each token's character offsets and word; and checks of the texts to encode."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput

_T = TypeVar("_T")
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


@dataclass(frozen=True, slots=True)
class Tokens:
    """One sequence of t tokens, special tokens included.

    Attributes:
        ids: int64 [t], rows of the token embedding matrix; int64 [t, 50] if words are read by their characters.
        segments: int64 [t], 0 for the first text and its special tokens, 1 for the second; all 0 for models without
            segments.
        offsets: int32 [t, 2], start and end character in the original text; (0, 0) for special tokens.
        words: int32 [t], the index, among the words of the text or pair, of each token's word; -1 for special tokens.
        features: name -> further inputs for each token, [t, ...], such as its entity, or a code of an image or sound.
            The model's embedding gets them in `Batch.features`.
    """

    ids: NDArray[np.int64]
    segments: NDArray[np.int64]
    offsets: NDArray[np.int32]
    words: NDArray[np.int32]
    features: Mapping[str, np.ndarray] = field(default_factory=dict, kw_only=True)

    def __len__(self) -> int:
        return len(self.ids)


def require_texts(texts: Iterable[object]) -> list[str]:
    """Check that all texts are strings, and return them as a list.

    Args:
        texts: a list or the like; a column of pandas, polars or pyarrow.

    Raises:
        BadInput: `texts` is a single string, a table, a set or not iterable, or an item is not a string (missing values
            become None or NaN).

    >>> require_texts(("a", "b"))
    ['a', 'b']
    """
    if isinstance(texts, str):
        raise BadInput("expected a list of texts, got a single text", mend="put it in a list: [text]")
    if isinstance(texts, Mapping) or hasattr(texts, "columns"):
        mend = 'give its column of texts, such as table["text"], or the table to wordworth.embed'
        raise BadInput(f"expected a list of texts, got a table ({type(texts).__name__})", mend=mend)
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        mend = "decode them: texts.decode()" if isinstance(texts, bytes) else "give a list: [text]"
        raise BadInput(f"expected a list of texts, got {texts!r:.60} ({type(texts).__name__})", mend=mend)
    if isinstance(texts, set | frozenset):
        raise BadInput("expected a list of texts, got a set, which has no order", mend="give sorted(texts)")
    checked: list[str] = []
    for index, text in enumerate(_items(texts)):
        if not isinstance(text, str):
            what = f"text {index} (the first is 0) is {text!r:.60} ({type(text).__name__}), not text"
            raise BadInput(what, mend=_mend(text))
        checked.append(text)
    return checked


def _items(texts: Iterable[object]) -> Iterable[object]:
    """Return the items of texts as Python values; a column of pyarrow yields values of its own types."""
    to_python: Callable[[], list[object]] | None = getattr(texts, "to_pylist", None)
    return to_python() if to_python else texts


def _mend(value: object) -> str:
    """Return advice for a value that is not a string: a missing value, bytes, a document of LangChain or a row."""
    if isinstance(value, bytes):
        return "decode it: text.decode()"
    if hasattr(value, "page_content"):
        return "give the texts: [document.page_content for document in documents]"
    missing = value is None or value != value or type(value).__name__ == "NAType"  # noqa: PLR0124 - of NaN alone
    return "fill or drop missing values" if missing else "give a list of strings"


def encodable(text: str) -> str:
    r"""Return a text that can be encoded as UTF-8: each lone surrogate becomes U+FFFD.

    >>> encodable("a\ud800") == "a\ufffd"
    True
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.translate(_SURROGATES)
    return text


def require_list(items: Sequence[_T]) -> list[_T]:
    """Check that items are a list or the like and not a single string, and return them as a list.

    Raises:
        BadInput: `items` is a single string.
    """
    if isinstance(items, str):
        raise BadInput("got one string, expected a list of strings", mend="put it in a list: [text]")
    return list(items)


def joined_features(sequences: Sequence[Tokens]) -> dict[str, np.ndarray]:
    """Concatenate the features of several sequences; return name of a feature -> its values, [tokens, ...].

    Raises:
        ValueError: a sequence lacks a feature that another has.
    """
    names = {frozenset(sequence.features) for sequence in sequences}
    if len(names) > 1:
        raise ValueError(f"sequences of one batch have different features: {sorted(map(sorted, names))}")
    return {name: np.concatenate([each.features[name] for each in sequences]) for name in next(iter(names), ())}


def ids_only(ids: NDArray[np.int64]) -> Tokens:
    """Return `Tokens` with these ids, whose segments, offsets and words are all zero.

    Args:
        ids: int64 [tokens], the token ids.
    """
    nothing = np.zeros(1, np.int64)
    offsets = np.broadcast_to(nothing.astype(np.int32), (len(ids), 2))
    return Tokens(ids, np.broadcast_to(nothing, len(ids)), offsets, np.broadcast_to(offsets[:1, 0], len(ids)))
