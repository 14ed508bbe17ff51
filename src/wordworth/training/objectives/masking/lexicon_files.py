"""Lexicon files: the phrases and entities that are masked whole, as a list or as the spans of tagged sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import parse_json, read_text
from wordworth.measures.chunk_f1 import chunks, scheme
from wordworth.tasks.task_types.tagging import is_scheme
from wordworth.text.corpus.token_store import TokenStore
from wordworth.text.file_formats.conll import CONLL, read_conll
from wordworth.text.file_formats.read import format_of
from wordworth.text.read_compressed_file import read_raw
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.wordpiece_reference import is_ideograph
from wordworth.training.objectives.masking.phrases import Phrases
from wordworth.training.objectives.masking.store_blocks import text_blocks


def read_phrases(path: Path, tokenizer: Tokenizer, stores: Iterable[TokenStore]) -> Phrases:
    """Read a lexicon file as a masking unit, which masks the phrases of the file whole.

    Args:
        path: the file.
        tokenizer: the tokenizer that spells the phrases.
        stores: the corpora, in at least one of which a phrase must occur.

    Raises:
        BadInput: the file cannot be read or has no phrase, the vocabulary can spell none, or none occurs in the stores.
    """
    texts = read_lexicon(path)
    try:
        phrases = Phrases.of(texts, tokenizer)
    except BadInput as error:
        raise BadInput(error.what, where=str(path), mend=error.mend) from error
    require_occurrence(phrases, stores, path)
    return phrases


def read_lexicon(path: Path) -> list[str]:
    """Return the phrases of a file, each once, in the order of the file.

    The phrases of a CoNLL file (`.conll`, `.iob2`, ...; compressed or not) are the words of its tagged spans, with gold
    or predicted tags. Any other file has a phrase on each line; text after a tab is ignored.

    Raises:
        BadInput: the file cannot be read, has no phrase, or has tags without a span.
    """
    phrases = _tagged_spans(path) if format_of(path) is CONLL else _lines(path)
    if not phrases:
        mend = "give one phrase a line, or tagged sentences in a .conll"
        raise BadInput("this lexicon is empty", where=str(path), mend=mend)
    return phrases


def _lines(path: Path) -> list[str]:
    texts = (line.partition("\t")[0].strip() for line in read_text(path).splitlines())
    return list(dict.fromkeys(text for text in texts if text))


def _tagged_spans(path: Path) -> list[str]:
    table = read_conll(read_raw(path))
    words = [parse_json(cell) for cell in table.columns["words"]]
    tags = [parse_json(cell) for cell in table.columns["tags"]]
    names = sorted({tag for sentence in tags for tag in sentence})
    if not is_scheme(names):
        mend = "give tags such as B-PER and I-PER for entities, and O for all other words"
        raise BadInput("the tags of this file mark no span", where=str(path), mend=mend)
    number = {name: index for index, name in enumerate(names)}
    spans = chunks([np.array([number[tag] for tag in sentence]) for sentence in tags], scheme(names))
    flat = [word for sentence in words for word in sentence]
    bounds = zip(spans.start.tolist(), spans.end.tolist(), strict=True)
    return list(dict.fromkeys(join_words(flat[start:end]) for start, end in bounds))


def join_words(words: Sequence[str]) -> str:
    """Return words joined to a text, with a space between two words unless it would be between Chinese characters.

    >>> join_words(["New", "York"]), join_words(["北京", "大学"])
    ('New York', '北京大学')
    """
    gaps = ("" if is_ideograph(before[-1]) and is_ideograph(after[0]) else " " for before, after in pairwise(words))
    return "".join(part for pair in zip(words, [*gaps, ""], strict=True) for part in pair)


def require_occurrence(phrases: Phrases, stores: Iterable[TokenStore], where: Path) -> None:
    """Check that at least one phrase of two or more tokens occurs in the corpora.

    Reading stops at the first occurrence.

    Args:
        phrases: the phrases of a lexicon.
        stores: the corpora.
        where: the file of the lexicon, for the error.

    Raises:
        BadInput: no phrase of two or more tokens occurs anywhere, so that the lexicon would change nothing.
    """
    if any(len(phrases.matches(text).firsts) for store in stores for _, text in text_blocks(store)):
        return
    count = len(phrases.phrases)
    which = f"none of the {count:,} phrases of this lexicon occurs"
    which = "the only phrase of this lexicon does not occur" if count == 1 else which
    what = f"{which} in the corpus as two or more tokens"
    mend = "make one of this corpus with `wordworth phrases`, or leave the lexicon out"
    raise BadInput(what, where=str(where), mend=mend)
