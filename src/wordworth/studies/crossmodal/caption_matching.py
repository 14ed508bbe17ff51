"""Test whether a model tells captions with their own codes from captions with the codes of another sequence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from wordworth import seeds
from wordworth.measures.weighted_sums import Floats
from wordworth.text.corpus.instances import NO_SECOND
from wordworth.training.crossmodal.paired_stream import APART, TOGETHER, other_than
from wordworth.training.crossmodal.sequences import Numbers, Pairs, instances_of
from wordworth.training.pretraining.batches import packed
from wordworth.training.pretraining.model import PretrainingModel

_HEAD = "alignment"
_AT_ONCE = 256


def judgement_hits(model: PretrainingModel, pairs: Pairs, max_length: int, seed: int) -> tuple[Floats, Floats]:
    """Test for each pair whether a model accepts its caption with its own codes, and rejects it with other codes.

    The other codes are drawn from a pair with a different caption. That caption has the same number of words, if there
    is such a pair, so that the length gives no hint.

    Args:
        model: the model, in evaluation mode.
        pairs: the test pairs of words and codes.
        max_length: the largest number of tokens of a sequence.
        seed: seed of the draw of other codes.

    Returns:
        The number of right judgements of each pair, 0 to 2, and the number of judgements, always 2; float64 [pairs].
    """
    rng = seeds.child(seed, "crossmodal", "other codes")
    own = list(zip(pairs.words, pairs.codes, strict=True))
    others = [(pairs.words[row], pairs.codes[_other(pairs, row, rng)]) for row in range(len(pairs))]
    together, apart = (alignment_scores(model, sides, max_length) for sides in (own, others))
    return (together > 0).astype(np.float64) + (apart < 0), np.full(len(pairs), 2.0)


def _other(pairs: Pairs, row: int, rng: np.random.Generator) -> int:
    alike = np.array([n for n, ids in enumerate(pairs.words) if len(ids) == len(pairs.words[row])])
    same = pairs.take(alike)
    if all(np.array_equal(ids, pairs.words[row]) for ids in same.words):
        return other_than(pairs, row, rng)
    return int(alike[other_than(same, int(np.searchsorted(alike, row)), rng)])


def alignment_scores(model: PretrainingModel, pairs: Sequence[tuple[Numbers, Numbers]], max_length: int) -> Floats:
    """Score how surely a model takes a caption and a sequence of codes to belong together, float64 [pairs].

    The score is the logit of "belong together" minus the logit of "do not".

    Args:
        model: the model, in evaluation mode.
        pairs: for each pair int64 [words], the ids of its words, and int64 [codes], the ids of its codes.
        max_length: the largest number of tokens of a sequence.
    """
    scores = [np.zeros(0)]
    for start in range(0, len(pairs), _AT_ONCE):
        part = pairs[start : start + _AT_ONCE]
        instances = instances_of(part, np.full(len(part), NO_SECOND), max_length)
        with torch.inference_mode():
            batch = packed(instances).to(model.encoder.device)
            pooled = model.encoder.pool(model.encoder(batch), batch.starts)
            logits: Tensor = model.heads[_HEAD](pooled)
        scores.append((logits[:, TOGETHER] - logits[:, APART]).double().cpu().numpy())
    return np.concatenate(scores)
