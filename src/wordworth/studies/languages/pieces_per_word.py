"""The table of pieces: for each language the subwords (pieces) per word and character, and the unknown words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import interval, share_draws
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.languages.language_texts import LanguageTexts
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokenizer_statistics import PieceCounts

PIECES = {
    "language": "name of the language",
    "texts": "number of texts",
    "words": "number of words and punctuation marks in them",
    "per_word": "pieces a word (fertility)",
    "per_word_low": "of its 95 % interval, over texts",
    "per_word_high": "of its 95 % interval",
    "per_character": "pieces a character, white space left out",
    "unknown": "share of the words that have a piece that the vocabulary lacks",
    "unknown_low": "of its 95 % interval",
    "unknown_high": "of its 95 % interval",
    "parity": "pieces of a text for each piece of its translation in the source; missing without translations",
    "parity_low": "of its 95 % interval, over items",
    "parity_high": "of its 95 % interval",
    "shared": "share of the pieces that occur in the source's training texts; missing for the source",
    "shared_low": "of its 95 % interval, over texts",
    "shared_high": "of its 95 % interval",
}


def shared_pieces(tokenizer: TokenizerProtocol, data: LanguageTexts) -> Floats:
    """Count each text's subwords (pieces) that occur in the source language's training texts, float64 [texts].

    The piece that stands for unknown words is not counted. Wu and Dredze (2019, section 4.4) relate zero-shot accuracy
    to this overlap.

    Args:
        tokenizer: cuts texts into pieces.
        data: the texts with their languages.
    """
    ids = tokenizer.ids(data.texts, special=False)
    source = np.unique(np.concatenate([ids[row] for row in data.rows(0, test=False)]))
    source = source[source != tokenizer.special_ids.get("unk", -1)]
    return floats([np.isin(text_ids, source).sum() for text_ids in ids])


def pieces_rows(
    counts: PieceCounts, shared: Floats, data: LanguageTexts, draws: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table of subwords (pieces), one for each language.

    Args:
        counts: pieces, words, characters and unknown words of each text.
        shared: float64 [texts], how many of each text's pieces occur in the training texts of the source language.
        data: the texts with their languages.
        draws: number of bootstrap resamples of texts.
        seed: seed of the resamples.
    """
    for number, name in enumerate(data.languages):
        rows = data.rows(number)
        pieces, num_words = counts.pieces[rows], counts.words[rows]
        characters, unknown = counts.characters[rows], counts.unknown[rows]
        rng = seeds.child(seed, "languages", "pieces", name)
        drawn = share_draws(np.stack([pieces, unknown], 1), num_words, np.arange(len(rows)), draws, rng)
        yield {
            "language": name,
            "texts": len(rows),
            "words": int(num_words.sum()),
            "per_word": pieces.sum() / num_words.sum(),
            **interval(drawn[:, 0]).columns("per_word_"),
            "per_character": pieces.sum() / max(characters.sum(), 1),
            "unknown": unknown.sum() / num_words.sum(),
            **interval(drawn[:, 1]).columns("unknown_"),
            **_parity(counts, data, number, draws, seed),
            **_shared(shared[rows], pieces, draws, rng if number else None),
        }


def _shared(shared: Floats, pieces: Floats, draws: int, rng: np.random.Generator | None) -> dict[str, float | None]:
    """Return the columns of the share of pieces that occur in the source language too, with its interval.

    All cells are None if `rng` is None, which stands for the source language itself.
    """
    if rng is None:
        return dict.fromkeys(("shared", "shared_low", "shared_high"))
    drawn = share_draws(shared[:, None], pieces, np.arange(len(shared)), draws, rng)
    return {"shared": shared.sum() / pieces.sum(), **interval(drawn[:, 0]).columns("shared_")}


def _parity(counts: PieceCounts, data: LanguageTexts, language: int, draws: int, seed: int) -> dict[str, float | None]:
    """Return the columns of the parity of a language, with its interval (Petrov et al. 2023, section 3).

    The parity is the number of pieces of the language's texts divided by the number of pieces of the source texts that
    they translate. All cells are None for the source language, and for a language without translations.
    """
    source, other = data.translations(language)
    if not len(source) or language == 0:
        return dict.fromkeys(("parity", "parity_low", "parity_high"))
    above, below = counts.pieces[other], counts.pieces[source]
    rng = seeds.child(seed, "languages", "parity", data.languages[language])
    drawn = share_draws(above[:, None], below, np.arange(len(above)), draws, rng)
    return {"parity": above.sum() / below.sum(), **interval(drawn[:, 0]).columns("parity_")}
