"""Compare the model's vocabulary with one learned from the corpus alone (Beltagy et al. 2019, arXiv 1903.10676)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.tokenizer_statistics import piece_counts

VOCABULARIES = {
    "vocabulary": "the model's, or one learned from the corpus alone",
    "size": "number of pieces; a small corpus supports fewer than the model has",
    "shared": "share of its pieces that the model's vocabulary has too",
    "per_word": "pieces a word of the task's texts",
}


def vocabulary_rows(tokenizer: Tokenizer, texts: Sequence[str], corpus: Path) -> list[dict[str, Any]]:
    """Return the rows of the table `vocabularies`: subwords per word by the model's vocabulary and by a new one.

    The new WordPiece vocabulary is learned from the corpus.

    Args:
        tokenizer: the tokenizer of the model.
        texts: the texts of the task.
        corpus: the file from which the new vocabulary is learned. The new tokenizer is written into the same folder.
    """
    settings = TokenizerSettings(size=tokenizer.vocab_size, exact=False, lowercase=tokenizer.lowercase)
    own = train_tokenizer(corpus, corpus.with_suffix(".tokenizer"), settings).tokenizer
    return [
        {
            "vocabulary": name,
            "size": each.vocab_size,
            "shared": _shared(each.vocabulary, tokenizer.vocabulary),
            "per_word": piece_counts(each, texts).per_word,
        }
        for name, each in (("the model's", tokenizer), ("the corpus's own", own))
    ]


def _shared(pieces: Mapping[str, int], of_model: Mapping[str, int]) -> float:
    return len(pieces.keys() & of_model.keys()) / len(pieces)
