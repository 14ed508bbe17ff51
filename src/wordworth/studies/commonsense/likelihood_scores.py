"""How likely a language model finds each option: the whole text, what follows the option, or an ending by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wordworth.inference.pseudo_likelihood import Hidden, PieceLikelihoods, piece_log_likelihoods
from wordworth.models.language_model import LanguageModel
from wordworth.progress import Progress
from wordworth.studies.commonsense.answers import Scores
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.mentions import Span
from wordworth.text.encoding import Tokens

WHOLE, WITHIN_WORDS, PARTIAL = "likelihood", "likelihood within words", "partial scoring"
PER_PIECE, ALONE = "likelihood a piece", "ending alone, a piece"
"""The methods: of a masked model, likelihood is pseudo-log-likelihood."""


def likelihood_scores(
    model: LanguageModel, items: ChoiceSet, progress: Progress, *, twin: bool = False
) -> dict[str, Scores]:
    """Return the score of each option by each method that suits the items and the model.

    Args:
        model: the language model.
        items: the items.
        progress: shows the reading.
        twin: whether this is a model with random weights, for which neither words nor endings alone are told apart.
    """
    read = _Readings(model, items, progress)
    of = f"{items.name}, random weights" if twin else items.name
    pieces = read.pieces(f"{WHOLE}, {of}")
    scores = {WHOLE: read.summed(pieces)}
    if items.kind == "pronouns":
        scores[PARTIAL] = read.summed(pieces, after=True)
    if items.kind == "endings":
        scores[PER_PIECE] = read.summed(pieces, mean=True)
    if twin:
        return scores
    if model.reads == "masked":
        scores[WITHIN_WORDS] = read.summed(read.pieces(f"{WITHIN_WORDS}, {of}", within_words=pieces))
    if items.kind == "endings":
        endings = replace(items, items=[replace(item, before="") for item in items.items])
        alone = _Readings(model, endings, progress)
        scores[ALONE] = alone.summed(alone.pieces(f"{ALONE}, {of}"), mean=True)
    return scores


class _Readings:
    """The texts of the items, and what the model says of their pieces."""

    def __init__(self, model: LanguageModel, items: ChoiceSet, progress: Progress) -> None:
        self.model, self.progress = model, progress
        self.items, self.ends = items.items, items.kind == "endings"
        self.texts = [text for item in self.items for text in item.texts]
        self.spans = [span for item in self.items for span in _option_spans(item)]

    def pieces(self, title: str, within_words: Sequence[PieceLikelihoods] | None = None) -> list[PieceLikelihoods]:
        """Return the log-probabilities of the pieces that are scored.

        Args:
            title: of the step of progress.
            within_words: those with only the piece itself masked; then the following pieces of its word are masked too,
                and pieces that no other of their word follows keep what they had.
        """

        def scored(text: int, tokens: Tokens) -> NDArray[np.bool_]:
            counted = _within(tokens, self.spans[text]) if self.ends else np.ones(len(tokens), bool)
            return counted if within_words is None else counted & _is_followed(tokens)

        hidden: Hidden = "piece" if within_words is None else "rest_of_word"
        read = piece_log_likelihoods(
            self.model, self.texts, hidden=hidden, scored=scored, progress=self.progress, title=title
        )
        if within_words is None:
            return read
        return [
            replace(new, logs=np.where(np.isnan(new.logs), old.logs, new.logs))
            for new, old in zip(read, within_words, strict=True)
        ]

    def summed(self, pieces: Sequence[PieceLikelihoods], *, after: bool = False, mean: bool = False) -> Scores:
        """Return the sums over the pieces that were scored, item by item.

        Args:
            pieces: of every text.
            after: whether only what follows the option counts.
            mean: whether the mean is taken in span of the sum.
        """
        starts = [span[1] if after else 0 for span in self.spans]
        scores = iter([_sum(each, start, mean=mean) for each, start in zip(pieces, starts, strict=True)])
        return [np.array([next(scores) for _ in item.options]) for item in self.items]


def _option_spans(item: Choice) -> list[Span]:
    start = len(item.before)
    return [(start, start + len(option)) for option in item.options]


def _within(tokens: Tokens, span: Span) -> NDArray[np.bool_]:
    """Return which tokens have their last character in a span; a piece of GPT-2 begins with the space before it."""
    ends = tokens.offsets[:, 1]
    return (ends > span[0]) & (ends <= span[1])


def _is_followed(tokens: Tokens) -> NDArray[np.bool_]:
    """Return which tokens are followed by another of their word."""
    return np.append((tokens.words[:-1] == tokens.words[1:]) & (tokens.words[:-1] >= 0), False)[: len(tokens)]


def _sum(pieces: PieceLikelihoods, start: int, *, mean: bool) -> float:
    counted = ~np.isnan(pieces.logs) & (pieces.tokens.offsets[:, 1] > start)
    logs = pieces.logs[counted]
    if mean:
        return float(logs.mean()) if len(logs) else float("nan")
    return float(logs.sum())
