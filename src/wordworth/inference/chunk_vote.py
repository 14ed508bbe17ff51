"""Classify a long text by its chunks, whose class probabilities are combined as in ClinicalBERT.

Huang, Altosaar and Ranganath 2019 (arXiv 1904.05342) score a patient by the chunks of the clinical notes. The largest
probability counts, as one chunk alone may be decisive. Among many chunks a large probability can be chance, so that
the mean counts more, the more chunks there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.inference.finetuned_network import Network
from wordworth.inference.predictor_base import PredictorBase
from wordworth.inference.task_predictor import TaskPredictor
from wordworth.tasks.examples import Examples

if TYPE_CHECKING:
    from wordworth.measures.weighted_sums import Floats
    from wordworth.text.tokens import Tokens
    from wordworth.training.task_heads.base import InputReader

WEIGHT = 2.0
"""The constant c of `vote`: with c chunks their mean and their maximum count alike, with more the mean counts more."""


def vote(probabilities: Floats, texts: NDArray[np.int64], weight: float = WEIGHT) -> Floats:
    """Combine the class probabilities of a text's chunks into class probabilities of the text.

    The score of a class for a text of n chunks is (max + mean n / c) / (1 + n / c), where max and mean are over the
    chunks. The scores of a text are then divided by their sum.

    Args:
        probabilities: class probabilities of the chunks, float64 [chunks, classes].
        texts: index of the text of each chunk, int64 [chunks], ascending from 0 without gaps.
        weight: the constant c; the larger it is, the more the maximum counts.

    Returns:
        Class probabilities of the texts, float64 [texts, classes].
    """
    starts = np.flatnonzero(np.diff(texts, prepend=-1))
    counts = np.diff([*starts, len(texts)])[:, None]
    largest = np.maximum.reduceat(probabilities, starts)
    share = counts / weight
    scores = (largest + share * np.add.reduceat(probabilities, starts) / counts) / (1 + share)
    voted: Floats = scores / scores.sum(axis=1, keepdims=True)
    return voted


@dataclass(frozen=True, slots=True)
class ChunkVotePredictor(PredictorBase):
    """A fine-tuned classifier of single texts that reads long texts in chunks.

    Attributes:
        model: the classifier.
        reader: the classifier's reader, which turns texts into inputs and knows the limit in tokens.
    """

    model: TaskPredictor
    reader: InputReader

    @classmethod
    def of(cls, model: PredictorBase) -> ChunkVotePredictor:
        """Return a predictor that reads long texts in chunks with a given model.

        Raises:
            BadInput: the model is not a fine-tuned classifier of single texts with one class each.
        """
        is_classifier = model.task_type.multiclass and model.task_type.class_probabilities and not model.pairs
        if not (isinstance(model, TaskPredictor) and isinstance(model.model, Network) and is_classifier):
            what = "chunks vote for a fine-tuned classifier of single texts with one class each"
            raise BadInput(what, where="--long-texts vote", mend="leave it out for this model")
        return cls(model, model.model.reader)

    @property
    def facts(self) -> Mapping[str, Any]:  # type: ignore[override]  # a field of the others
        """The metadata of the model's folder."""
        return self.model.facts

    @property
    def dtype(self) -> str:  # type: ignore[override]  # a field of the others
        """The dtype of the model's computation."""
        return self.model.dtype

    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example; return one answer per example, a dict of values by name (`label`, `probabilities`)."""
        whole = self.reader.tokenizer.encode(list(examples.first))
        chunks = [list(chunks_of(*pair, self.reader)) for pair in zip(examples.first, whole, strict=True)]
        texts = np.repeat(np.arange(len(chunks)), [len(each) for each in chunks])
        answers = self.model.answers(Examples(tuple(chunk for each in chunks for chunk in each)))
        shares = np.array([[answer["probabilities"][name] for name in self.classes] for answer in answers])
        voted = np.log(np.maximum(vote(shares, texts), np.finfo(np.float64).tiny))
        return [self.task_type.answer(scores, self.classes) for scores in voted]


def chunks_of(text: str, tokens: Tokens, reader: InputReader) -> Iterator[str]:
    """Yield the chunks of a text, each as long as fits the model's limit without breaking a word.

    A word that is longer than the limit is broken.

    Args:
        text: the text.
        tokens: the tokens of the whole text, special tokens included.
        reader: the model's reader.
    """
    if len(tokens) <= reader.limit:
        yield text
        return
    prefix, suffix = reader.tokenizer.prefix, reader.tokenizer.suffix
    inner = np.arange(prefix, len(tokens) - suffix)
    capacity, start = reader.limit - prefix - suffix, 0
    while start < len(inner):
        end = min(start + capacity, len(inner))
        if end < len(inner):
            new_words = np.flatnonzero(np.diff(tokens.words[inner[start : end + 1]]))
            end = start + int(new_words[-1]) + 1 if len(new_words) else end
        yield text[tokens.offsets[inner[start], 0] : tokens.offsets[inner[end - 1], 1]]
        start = end
