"""What texts cost a language model, in bits per character.

The loss of a piece cannot be compared between vocabularies, bits per character can: the mean log-probability of a piece
in bits, times pieces per character. Under a masked model each piece is masked alone (Salazar et al. 2020, arXiv
1910.14659), which is no code length: the model sees both sides of what it predicts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.inference.pseudo_likelihood import piece_log_likelihoods
from wordworth.measures.bootstrap import interval, share_draws
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.models.language_model import LanguageModel
from wordworth.progress import Progress
from wordworth.text.encoding import Tokens
from wordworth.text.piece_counts import PieceCounts
from wordworth.text.tokenizer_protocol import TokenizerProtocol

DRAWS = 1_000
_PIECES = 80
"""Pieces of a text that are read, from its beginning."""
_SCORED = 8
"""Pieces of a text that are scored, drawn at random."""

_DIFFERENCES = (
    ("change", "after", "before", ""),
    ("control_change", "control", "before", "control_"),
    ("gain", "after", "control", "gain_"),
)
"""The column of each difference, its two costs, and the prefix of its interval's columns."""
TEXTS = {
    "texts": "which texts",
    "number": "number of them that were measured",
    "per_word": "pieces a word under the model's tokenizer",
    "per_word_low": "of its 95 % interval, over texts",
    "per_word_high": "of its 95 % interval",
    "unknown": "share of the words that have a piece that the vocabulary lacks",
    "before": "bits a character under the model as it is; missing where it has no head over its vocabulary",
    "after": "bits a character after the trial run on the corpus",
    "change": "after less before",
    "low": "of its 95 % interval, over texts, the same ones before and after",
    "high": "of its 95 % interval",
    "control": "bits a character after a trial run on the control's text; missing without a control",
    "control_change": "that less before",
    "control_low": "of its 95 % interval",
    "control_high": "of its 95 % interval",
    "gain": "after the corpus less after the control",
    "gain_low": "of its 95 % interval",
    "gain_high": "of its 95 % interval",
}


def beginnings(texts: Sequence[str], tokenizer: TokenizerProtocol) -> list[str]:
    """Return the first 80 pieces of each text."""
    read = tokenizer.encode(list(texts))
    last = tokenizer.prefix + _PIECES - 1
    return [
        text if len(tokens) - tokenizer.suffix <= last + 1 else text[: tokens.offsets[last, 1]]
        for text, tokens in zip(texts, read, strict=True)
    ]


def bits(model: LanguageModel, texts: Sequence[str], seed: int, progress: Progress, title: str) -> Floats:
    """Return the bits that each text costs, float64 [texts], from a few of its pieces.

    Args:
        model: the language model.
        texts: the texts, none longer than it reads at once.
        seed: of the draw of pieces.
        progress: advances with the pieces.
        title: of its step.
    """
    special = model.tokenizer.prefix + model.tokenizer.suffix

    def scored(number: int, tokens: Tokens) -> NDArray[np.bool_]:
        chosen = np.zeros(len(tokens), bool)
        first, count = model.tokenizer.prefix, len(tokens) - special
        rng = seeds.child(seed, "adaptation", "pieces", str(number))
        chosen[first + rng.permutation(count)[:_SCORED]] = True
        return chosen

    read = piece_log_likelihoods(model, texts, scored=scored, progress=progress, title=title)
    return floats([-np.nanmean(each.logs) / np.log(2) * (len(each.tokens) - special) for each in read])


def text_row(
    name: str, texts: Sequence[str], counts: PieceCounts, costs: Mapping[str, Floats], seed: int
) -> dict[str, Any]:
    """Return the row of the table of texts.

    Args:
        name: of the texts.
        texts: the texts.
        counts: how they are cut.
        costs: the bits of each text under the model `before`, and `after` and `control` where they were measured.
        seed: of the resamples.
    """
    row: dict[str, Any] = dict.fromkeys(TEXTS) | {"texts": name, "number": len(texts)}
    each, rng = np.arange(len(texts)), seeds.child(seed, "adaptation", "texts", name)
    per_word = interval(share_draws(counts.pieces[:, None], counts.words, each, DRAWS, rng)[:, 0])
    row |= {"per_word": counts.per_word, **per_word.columns("per_word_")}
    row["unknown"] = float(counts.unknown.sum() / counts.words.sum())
    if not costs:
        return row
    characters = floats([len(text) for text in texts])
    row |= {kind: float(values.sum() / characters.sum()) for kind, values in costs.items()}
    for difference, kind, other, prefix in _DIFFERENCES:
        if {kind, other} <= costs.keys():
            values = costs[kind] - costs[other]
            drawn = share_draws(values[:, None], characters, each, DRAWS, rng)[:, 0]
            row |= {difference: float(values.sum() / characters.sum()), **interval(drawn).columns(prefix)}
    return row
