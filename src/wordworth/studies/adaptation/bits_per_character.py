"""The loss of a language model on texts, in bits per character.

Losses per subword cannot be compared between vocabularies; bits per character can. Bits per character are minus the
mean log-probability of a subword in bits, times the number of subwords per character. Under a masked model each subword
is masked alone (Salazar et al. 2020, arXiv 1910.14659). The bits are then no code length, since a masked model reads
the text on both sides of the masked subword.
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
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokenizer_statistics import PieceCounts
from wordworth.text.tokens import Tokens

DRAWS = 1_000
_PIECES = 80
"""Number of subwords of a text that are read, from its beginning."""
_SCORED = 8
"""Number of subwords of a text that are scored, drawn at random."""

_DIFFERENCES = (
    ("change", "after", "before", ""),
    ("control_change", "control", "before", "control_"),
    ("gain", "after", "control", "gain_"),
)
"""Each difference: its column, the two losses whose difference it is, and the prefix of its interval's columns."""
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
    """Return the first 80 subwords of each text, as text; shorter texts are returned whole."""
    read = tokenizer.encode(list(texts))
    last = tokenizer.prefix + _PIECES - 1
    return [
        text if len(tokens) - tokenizer.suffix <= last + 1 else text[: tokens.offsets[last, 1]]
        for text, tokens in zip(texts, read, strict=True)
    ]


def bits(model: LanguageModel, texts: Sequence[str], seed: int, progress: Progress, title: str) -> Floats:
    """Estimate the loss of a language model on each text, in bits per text, float64 [texts].

    The mean loss of a few subwords drawn at random from a text is multiplied by the text's number of subwords.

    Args:
        model: the language model.
        texts: the texts, each short enough to be read at once.
        seed: seed of the draw of subwords.
        progress: receives a step that advances with the subwords.
        title: title of this step.
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
    """Return one row of the table `texts`: subwords per word and bits per character of some texts, with intervals.

    Args:
        name: name of the row, which says whose texts these are: the task's, the corpus's or the control's.
        texts: the texts.
        counts: numbers of words and subwords of each text.
        costs: name of a model -> the loss of each text in bits, float64 [texts]. The names are `before` (the model as
            it is), `after` (adapted to the corpus) and `control` (adapted to the control's text); those that were not
            measured are absent.
        seed: seed of the resamples.
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
