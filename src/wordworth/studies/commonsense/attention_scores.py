"""Score the candidates of a pronoun by the maximum attention score (Klein and Nabi 2019)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.maximum_attention_score import maximum_attention_scores
from wordworth.measures.weighted_sums import Floats
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.activations import TextActivations, activations
from wordworth.models.encoder_base import Encoder
from wordworth.progress import Step
from wordworth.studies.commonsense.candidate_mentions import Mentions, Span
from wordworth.studies.commonsense.option_scores import Scores
from wordworth.text.tokenizer_protocol import TokenizerProtocol
from wordworth.text.tokens import Tokens

FROM, TO = "attention from pronoun", "attention to pronoun"
_BATCH_TOKENS = 1_024


def attention_scores(
    model: Encoder, tokenizer: TokenizerProtocol, mentions: Sequence[Mentions | None], step: Step
) -> dict[str, Scores]:
    """Return name of each direction -> the maximum attention scores of the candidates of each item.

    Klein and Nabi (2019) describe the method. The directions are `FROM` the pronoun and `TO` the pronoun.

    The attention of a head between the pronoun and a candidate is the head's largest weight between their subwords. A
    left-to-right model does not attend to later text: for such a model only attention from the pronoun is scored, and
    only for items whose candidates all precede the pronoun.

    Args:
        model: an encoder with attention.
        tokenizer: the tokenizer of the encoder.
        mentions: the positions of the pronoun and the candidates in each item; None for an item in which the pronoun or
            a candidate was not found. Such an item gets no scores.
        step: advanced by 1 with each item that is scored.
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
    """Return the largest attention weights from the pronoun to each candidate, and the largest ones to the pronoun.

    Each array is float32 [candidates, heads of all layers].
    """
    attention = np.concatenate(by_layer(read.values, ATTENTION))
    pronoun = pieces_of(read.tokens, mentions.pronoun)
    candidates = [pieces_of(read.tokens, span) for span in mentions.candidates]
    return (
        np.stack([attention[:, pronoun][:, :, pieces].max((1, 2), initial=0) for pieces in candidates]),
        np.stack([attention[:, pieces][:, :, pronoun].max((1, 2), initial=0) for pieces in candidates]),
    )


def pieces_of(tokens: Tokens, span: Span) -> NDArray[np.int64]:
    """Return the indices of the tokens that overlap with a span of characters, without special tokens, int64 [n]."""
    starts, ends = tokens.offsets.T
    return np.flatnonzero((ends > span[0]) & (starts < span[1]) & (tokens.words >= 0))
