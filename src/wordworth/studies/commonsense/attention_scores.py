"""The maximum attention score: the candidate that attention ties to the pronoun (Klein and Nabi 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.maximum_attention import maximum_attention_scores
from wordworth.measures.weighted_sums import Floats
from wordworth.models.activations import TextActivations, activations
from wordworth.models.encoder import Encoder
from wordworth.models.taps import ATTENTION, Taps, by_layer
from wordworth.progress import Step
from wordworth.studies.commonsense.answers import Scores
from wordworth.studies.commonsense.mentions import Mentions, Span
from wordworth.text.encoding import Tokens
from wordworth.text.tokenizer_protocol import TokenizerProtocol

FROM, TO = "attention from pronoun", "attention to pronoun"
_BATCH_TOKENS = 1_024


def attention_scores(
    model: Encoder, tokenizer: TokenizerProtocol, mentions: Sequence[Mentions | None], step: Step
) -> dict[str, Scores]:
    """Return the maximum attention score of each candidate, by the direction of attention.

    Between the pieces of the pronoun and those of a candidate each head counts with its largest weight. A model that
    reads from left to right has no attention to what comes later: there only that from the pronoun is read, where all
    candidates come before it.

    Args:
        model: an encoder with attention.
        tokenizer: its tokenizer.
        mentions: of each item; None where a candidate is not in the text or the text does not fit.
        step: advances by one for each item with mentions.
    """
    causal = model.config.reads == "causal"
    names = (FROM,) if causal else (FROM, TO)
    scores: dict[str, list[Floats | None]] = {name: [None] * len(mentions) for name in names}
    readable = [
        (number, each) for number, each in enumerate(mentions) if each is not None and (not causal or _all_before(each))
    ]
    tokens = tokenizer.encode([each.text for _, each in readable])
    for read in activations(model, tokens, Taps(read=(ATTENTION,)), batch_tokens=_BATCH_TOKENS):
        number, mention = readable[read.text]
        for name, weights in zip(scores, _weights(read, mention), strict=False):
            scores[name][number] = maximum_attention_scores(weights)
        step.advance(1)
    return dict(scores)


def _all_before(mentions: Mentions) -> bool:
    return all(end <= mentions.pronoun[0] for _, end in mentions.candidates)


def _weights(read: TextActivations, mentions: Mentions) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """float32 [candidates, heads of all layers], twice: the largest weight from the pronoun, and the largest to it."""
    attention = np.concatenate(by_layer(read.values, ATTENTION))
    pronoun = pieces_of(read.tokens, mentions.pronoun)
    candidates = [pieces_of(read.tokens, span) for span in mentions.candidates]
    return (
        np.stack([attention[:, pronoun][:, :, pieces].max((1, 2), initial=0) for pieces in candidates]),
        np.stack([attention[:, pieces][:, :, pronoun].max((1, 2), initial=0) for pieces in candidates]),
    )


def pieces_of(tokens: Tokens, span: Span) -> NDArray[np.int64]:
    """Return the numbers of the tokens that have a character of a span, int64 [pieces]."""
    starts, ends = tokens.offsets.T
    return np.flatnonzero((ends > span[0]) & (starts < span[1]) & (tokens.words >= 0))
