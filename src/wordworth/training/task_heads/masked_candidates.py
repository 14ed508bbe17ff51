"""Pronoun resolution by a masked language model, trained with a margin (Kocijan et al. 2019, arXiv 1905.06290).

The pronoun becomes as many masks as a candidate has pieces; log P(candidate) is the mean log-probability of its pieces
(section 3). The loss of an example is `-log P(right) + ALPHA * max(0, log P(wrong) - log P(right) + BETA)`, the second
term summed over its wrong candidates (equation 1). ALPHA and BETA are the values with which Kocijan et al. trained on
DPR. Their code subtracts, for a batch, the mean of the wrong candidates' losses; here the equation is computed for each
example.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.devices import on_device
from wordworth.models.language_model import language_model_head
from wordworth.models.lm_heads import word_table
from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.tasks.task_types import TaskType
from wordworth.text.tokens import Tokens
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.masked_piece_scores import HIDDEN_PIECE
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.loop import Loss
from wordworth.training.task_heads.base import Floats, HeadOptions, InputReader, TaskHead
from wordworth.training.task_heads.multiple_choice import padded

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder

ALPHA, BETA = 5.0, 0.2


class MaskedCandidateHead(TaskHead):
    """The head of pronoun resolution, which scores each candidate by the masked language model at the pronoun's place.

    An example has one sequence for each candidate, with a mask for each of the candidate's pieces in place of the
    pronoun.
    """

    pooled = False

    def __init__(self) -> None:
        super().__init__(num_scores=1)

    def attach(self, encoder: TextEncoder) -> None:
        """Take the model's head over its vocabulary as the output layer.

        Raises:
            BadInput: the model has no such head, or is not a masked language model.
        """
        reads, head = language_model_head(encoder.checkpoint, encoder.name)
        if reads != "masked":
            mend = "name a model that fills masks, such as mini"
            raise BadInput(
                "pronouns are resolved by filling masks, which this model does not", where=encoder.name, mend=mend
            )
        word_table(encoder.model)
        self.vocabulary_head = head

    def encode(self, reader: InputReader, examples: Examples) -> TokenizedExamples:
        """Encode each text once for each candidate, with a mask for each piece of the candidate at the pronoun's place.

        Raises:
            BadInput: a candidate has no piece, or lies where the text is cut.
        """
        options, after = examples.options or (), examples.second or ("",) * len(examples)
        spans = [
            (len(before), len(before) + len(option))
            for before, several in zip(examples.first, options, strict=True)
            for option in several
        ]
        texts = [
            before + option + rest
            for before, several, rest in zip(examples.first, options, after, strict=True)
            for option in several
        ]
        whole = reader.tokenizer.encode(texts) if texts else []
        tokens = [
            _within(reader, _masked(each, span, _mask_id(reader), text), text)
            for each, span, text in zip(whole, spans, texts, strict=True)
        ]
        bounds = np.cumsum([0, *map(len, options)])
        long = np.array([len(each) > reader.limit for each in whole], dtype=bool)
        truncated = [bool(long[start:end].any()) for start, end in pairwise(bounds)]
        return TokenizedExamples(tuple(tokens), bounds, np.array(truncated, dtype=bool))

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:  # noqa: ARG002 - a head
        """Return the index of the right candidate of each example as a tensor.

        There is no initial bias for base rates.

        Args:
            labels: int64 [n], the index of the right candidate of each example.
            inputs: the examples, which are not read.
        """
        return LabelTensors(torch.from_numpy(np.asarray(labels, dtype=np.int64)), torch.zeros(0))

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, example_indices: Rows) -> Loss:
        """Return the margin loss of a batch (`margin_loss`), summed over examples.

        Args:
            scores: [tokens, 1], the log-probability of each masked piece.
            gold: the targets of all training examples.
            inputs: all training examples.
            example_indices: int64 [examples], the indices of the batch's examples among all training examples.
        """
        batch = inputs.take(example_indices)
        return Loss(
            margin_loss(_log_shares(scores, batch), gold.of_examples(example_indices, scores.device)),
            len(example_indices),
        )

    def predict(self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples) -> NDArray[np.float64]:  # noqa: ARG002 - a head
        """Return the log-probability of each candidate of each example, float64 [n, most candidates].

        If an example has fewer candidates than others, the candidates that it lacks have -inf.

        Args:
            scores: for each sequence the score of the right piece at each token, float32 [tokens, 1].
            gold: the labels, which are not read.
            inputs: the examples with their candidates.
        """
        flat = torch.from_numpy(np.concatenate([np.zeros((0, 1), np.float32), *scores]))
        table: NDArray[np.float64] = _log_shares(flat, inputs).double().numpy()
        return table


def margin_loss(logs: Tensor, right: Tensor) -> Tensor:
    """Return the margin loss of Kocijan et al. 2019, equation 1, summed over examples.

    Args:
        logs: [examples, candidates], the log-probability of each candidate; -inf for candidates that an example lacks.
        right: int64 [examples], the index of the right candidate.
    """
    of_right = logs.gather(1, right[:, None])
    margins = functional.relu(logs - of_right + BETA).scatter(1, right[:, None], 0.0)
    return ALPHA * margins.sum() - of_right.sum()


def make_head(task_type: TaskType, classes: tuple[str, ...], options: HeadOptions) -> MaskedCandidateHead:  # noqa: ARG001 - a head's factory
    """Return the head of pronoun resolution, with the signature of every factory that `TaskType.head` names.

    Args:
        task_type: the kind of task.
        classes: not used.
        options: not used.
    """
    return MaskedCandidateHead()


def _log_shares(scores: Tensor, inputs: TokenizedExamples) -> Tensor:
    """Return the mean log-probability of each candidate's pieces, float32 [examples, most candidates]."""
    hidden = [tokens.features[HIDDEN_PIECE] >= 0 for tokens in inputs.tokens]
    owner = np.repeat(np.arange(len(hidden)), [each.sum() for each in hidden])
    positions = np.flatnonzero(np.concatenate([np.zeros(0, bool), *hidden]))
    pieces = scores[on_device(positions, scores.device), 0].float()
    sums = pieces.new_zeros(len(hidden)).index_add(0, on_device(owner, scores.device), pieces)
    counts = np.bincount(owner, minlength=len(hidden))
    return padded(sums / on_device(counts, scores.device), np.diff(inputs.offsets))


def _mask_id(reader: InputReader) -> int:
    mask = reader.tokenizer.special_ids.get("mask")
    if mask is None:
        raise BadInput("this model has no mask", mend="name a model that fills masks, such as mini")
    return mask


def _masked(tokens: Tokens, span: tuple[int, int], mask: int, text: str) -> Tokens:
    """Return a sequence with a mask in place of each piece whose last character lies in a span of the text.

    The last character decides, since a piece of RoBERTa begins with the space before it. The feature `HIDDEN_PIECE` of
    the result holds the ids of the hidden pieces.

    Args:
        tokens: the sequence.
        span: (first character, character after the last) in the text.
        mask: id of the mask.
        text: the text, for the error.
    """
    ends = tokens.offsets[:, 1]
    chosen = (ends > span[0]) & (ends <= span[1])
    if not chosen.any():
        what = f"the candidate {text[slice(*span)]!r:.40} has no piece that this model knows"
        raise BadInput(what, mend="write it otherwise, or leave the row out")
    ids, hidden = np.where(chosen, mask, tokens.ids), np.where(chosen, tokens.ids, -1)
    return replace(tokens, ids=ids, features={**tokens.features, HIDDEN_PIECE: hidden})


def _within(reader: InputReader, tokens: Tokens, text: str) -> Tokens:
    """Return a sequence cut to the reader's limit; raise `BadInput` if a hidden piece would be cut off."""
    cut = reader.within(tokens)
    kept, whole = ((each.features[HIDDEN_PIECE] >= 0).sum() for each in (cut, tokens))
    if kept < whole:
        what = f"a pronoun stands where a text longer than {reader.limit} tokens is cut: {text!r:.60}"
        raise BadInput(what, mend="give a larger --max-length, or shorter texts")
    return cut
