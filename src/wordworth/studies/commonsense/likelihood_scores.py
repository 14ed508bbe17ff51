"""Score options by the likelihood that a language model gives the whole text, a part of it, or an ending alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from wordworth.inference.pseudo_likelihood import Hidden, PieceLikelihoods, piece_log_likelihoods
from wordworth.models.language_model import LanguageModel
from wordworth.progress import Progress
from wordworth.studies.commonsense.candidate_mentions import Span
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.option_scores import Scores
from wordworth.text.tokens import Tokens

WHOLE, WITHIN_WORDS, PARTIAL = "likelihood", "likelihood within words", "partial scoring"
PER_PIECE, ALONE = "likelihood a piece", "ending alone, a piece"
"""The names of the methods; for a masked model, likelihood means pseudo-log-likelihood."""


def likelihood_scores(
    model: LanguageModel, items: ChoiceSet, progress: Progress, *, twin: bool = False
) -> dict[str, Scores]:
    """Return name of each likelihood method that suits the model -> the scores of the options of each item.

    Args:
        model: the language model.
        items: the data set.
        progress: receives the progress of reading.
        twin: whether the model has random weights; the methods `WITHIN_WORDS` and `ALONE` are then left out.
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
    """A scorer of the texts of a data set by a language model: log-probabilities of subwords, and sums of these."""

    def __init__(self, model: LanguageModel, items: ChoiceSet, progress: Progress) -> None:
        self.model, self.progress = model, progress
        self.items, self.ends = items.items, items.kind == "endings"
        self.texts = [text for item in self.items for text in item.texts]
        self.spans = [span for item in self.items for span in _option_spans(item)]

    def pieces(self, title: str, within_words: Sequence[PieceLikelihoods] | None = None) -> list[PieceLikelihoods]:
        """Return the log-probabilities of the scored subwords of each text: all, or for endings the ending's subwords.

        Args:
            title: title of the step of progress.
            within_words: the result of an earlier call without this argument, in which only the subword itself was
                masked. If given, the later subwords of the same word are masked too (Kauf and Ivanova 2023). For the
                last subword of a word this changes nothing, so its log-probability is copied from `within_words`.
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
        """Return the sums of log-probabilities over the scored subwords, for each option of each item.

        Args:
            pieces: the log-probabilities in every text.
            after: whether only subwords after the option count.
            mean: whether to return means in place of sums.
        """
        starts = [span[1] if after else 0 for span in self.spans]
        scores = iter([_sum(each, start, mean=mean) for each, start in zip(pieces, starts, strict=True)])
        return [np.array([next(scores) for _ in item.options]) for item in self.items]


def _option_spans(item: Choice) -> list[Span]:
    start = len(item.before)
    return [(start, start + len(option)) for option in item.options]


def _within(tokens: Tokens, span: Span) -> NDArray[np.bool_]:
    """Return whether the last character of each token is in a span, bool [tokens].

    First characters are not compared, as a subword of GPT-2 begins with the space before it.
    """
    ends = tokens.offsets[:, 1]
    return (ends > span[0]) & (ends <= span[1])


def _is_followed(tokens: Tokens) -> NDArray[np.bool_]:
    """Return whether each token is followed by another token of its word, bool [tokens]."""
    return np.append((tokens.words[:-1] == tokens.words[1:]) & (tokens.words[:-1] >= 0), False)[: len(tokens)]


def _sum(pieces: PieceLikelihoods, start: int, *, mean: bool) -> float:
    counted = ~np.isnan(pieces.logs) & (pieces.tokens.offsets[:, 1] > start)
    logs = pieces.logs[counted]
    if mean:
        return float(logs.mean()) if len(logs) else float("nan")
    return float(logs.sum())
