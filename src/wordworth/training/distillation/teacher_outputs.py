"""The outputs of a teacher for the training texts, computed once in blocks that are cached on disk."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.models.activation_taps import Taps
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.length_batching import ROWS_A_BATCH, ROWS_ON_GPU, batches
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.tasks.task import Rows
from wordworth.training.distillation.methods import Layers, Method
from wordworth.training.finetuning.checkpoint import head_bytes
from wordworth.training.finetuning.model import FineTuningModel, Pooling
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.finetuning.trainer import FineTunedModel

_BLOCK = 512
"""Texts of a block, which a stopped call need not compute again."""
_MOST_BYTES = 4 << 30
"""Most memory that the states may take."""
_HALF_PRECISION = 2


@dataclass(frozen=True, slots=True)
class TeacherOutputs:
    """The outputs of a teacher for n texts: the logits, and the inner values that are compared with the student's.

    Attributes:
        scores: float32 [n, classes], the logits.
        states: [rows, vectors, width], the inner values that a method of distillation compares: float32 with a row for
            each text, or float16 with a row for each token; None for a method that compares logits alone.
        starts: int64 [n + 1]; text i has the rows starts[i] to starts[i + 1] of `states`.
    """

    scores: NDArray[np.float32]
    states: NDArray[np.floating] | None
    starts: Rows

    def of(self, example_indices: Rows, device: torch.device) -> tuple[Tensor, Tensor | None]:
        """Return the logits of some texts, and their inner values or None.

        Args:
            example_indices: int64 [texts], the indices of the texts.
            device: the device of the result.

        Returns:
            (logits, inner values): float32 [texts, classes], and [rows of these texts, vectors in a row, width]; the
            inner values are None for a method that compares logits alone.
        """
        scores = torch.from_numpy(self.scores[example_indices]).to(device)
        if self.states is None:
            return scores, None
        rows = np.concatenate(
            [np.arange(self.starts[example], self.starts[example + 1]) for example in example_indices]
        )
        return scores, torch.from_numpy(self.states[rows]).to(device)


class TextBlock(NamedTuple):
    """Consecutive texts, whose outputs are computed and stored as one unit of work.

    Attributes:
        first: the index of the block's first text among all texts, from 0.
        inputs: the texts.
    """

    first: int
    inputs: TokenizedExamples


class BlockOutputs(NamedTuple):
    """The outputs of a teacher for the texts of a block.

    Attributes:
        scores: float32 [texts, classes], the logits.
        states: [rows, vectors, width] as in `TeacherOutputs`; float32 [0] for a method that compares logits alone.
    """

    scores: NDArray[np.float32]
    states: NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class TeacherReader:
    """Computes a teacher's outputs for texts: logits, and the inner values that a method of distillation compares.

    Attributes:
        encoder: the teacher's encoder.
        tuned: the teacher's fine-tuned network, which computes in float32.
        pooling: how the teacher pools a text's states.
        method: the method of distillation.
        layers: the teacher's layers whose states are compared.
    """

    encoder: TextEncoder
    tuned: FineTunedModel
    pooling: Pooling
    method: Method
    layers: Layers

    def answers(self, inputs: TokenizedExamples, step: Step | None = None) -> TeacherOutputs:
        """Return the teacher's outputs for texts, read from the disk cache or else computed.

        Args:
            inputs: the texts.
            step: progress display, advanced by the number of texts of each block.

        Raises:
            BadInput: the states of so many texts would take too much memory.
        """
        self._require_room(inputs)
        key = self.key()
        scores, states = [np.zeros((0, self.tuned.head.num_scores), np.float32)], []
        for _, block in _blocks(inputs):
            block_scores, block_states = self._stored(key, block)
            scores.append(block_scores)
            states += [] if block_states is None else [block_states]
            if step is not None:
                step.advance(len(block))
        sizes = inputs.sizes if self.method.per_token else np.ones(len(inputs), np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return TeacherOutputs(np.concatenate(scores), np.concatenate(states) if states else None, starts)

    def missing(self, key: str, inputs: TokenizedExamples) -> list[TextBlock]:
        """Return the blocks of texts whose outputs are not all in the disk cache.

        Args:
            key: the teacher's key, as `key` returns it.
            inputs: the texts.

        Raises:
            BadInput: the states of so many texts would take too much memory.
        """
        self._require_room(inputs)
        stored = ArrayCache()
        return [each for each in _blocks(inputs) if not all(map(stored.holds, self._keys(key, each.inputs)))]

    def store(self, key: str, block: TextBlock, outputs: BlockOutputs) -> None:
        """Write the outputs for a block, which another process computed, to the disk cache, where `answers` reads them.

        Args:
            key: the teacher's key, as `key` returns it.
            block: the texts.
            outputs: the teacher's outputs for them.
        """
        self._stored(key, block.inputs, outputs)

    def _stored(
        self, key: str, inputs: TokenizedExamples, outputs: BlockOutputs | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.floating] | None]:
        """Return (logits, states or None) of a block from the disk cache.

        If the cache lacks them, `outputs` are stored there, or newly computed ones if `outputs` is None.
        """
        made = cache(lambda: self.computed(inputs) if outputs is None else outputs)
        keys = self._keys(key, inputs)
        scores = ArrayCache().array(keys[0], lambda: made().scores)
        if len(keys) == 1:
            return scores, None
        return scores, ArrayCache().array(keys[1], lambda: made().states)

    def _keys(self, key: str, inputs: TokenizedExamples) -> list[str]:
        """Return the keys of a block's arrays in the disk cache: of the logits, and of the states if there are any."""
        texts = json.dumps([tokens.ids.tolist() for tokens in inputs.tokens])
        scores = content_key(key, "scores", texts)
        about = map(str, (self.method.name, self.layers, self.pooling))
        return [scores, content_key(key, *about, texts)] if self.layers else [scores]

    @torch.inference_mode()
    def computed(self, inputs: TokenizedExamples) -> BlockOutputs:
        """Return the teacher's outputs for the texts of a block, in their order.

        The outputs depend on the texts and the teacher alone; texts of similar length are read together.

        Args:
            inputs: the texts of one block.
        """
        network, order = self.tuned.network, list[int]()
        scores, states, device = list[Tensor](), list[Tensor](), self.tuned.network.device
        with ONE_THREAD.limit():
            for example_indices in batches(
                inputs.sizes.tolist(), ROWS_A_BATCH if device.type == "cpu" else ROWS_ON_GPU
            ):
                made, own_rows = self._batch(network, inputs, np.array(example_indices))
                scores += torch.split(made.float().cpu(), 1)
                states += own_rows
                order += example_indices
        in_order = np.argsort(order)
        rows = [states[index] for index in in_order] if states else [torch.zeros(0)]
        return BlockOutputs(torch.cat([scores[index] for index in in_order]).numpy(), torch.cat(rows).numpy())

    def _batch(
        self, network: FineTuningModel, inputs: TokenizedExamples, example_indices: Rows
    ) -> tuple[Tensor, Sequence[Tensor]]:
        """Return the scores of some texts, [texts, num_scores], and for each text its states, [rows, vectors, width].

        There are no states for a method that compares logits alone.

        Args:
            network: the teacher's network.
            inputs: the texts of a block.
            example_indices: int64 [texts], the indices of the texts in `inputs`.
        """
        batch = inputs.batch(example_indices).to(network.device)
        names = self.method.names(self.layers, network.body.tap_names())
        taps = Taps(read=names)
        scores = network(batch, None, taps)
        if not names:
            return scores, ()
        rows = self.method.rows([taps.seen[name][0] for name in names], batch.starts, self.pooling).cpu()
        if self.method.per_token:
            return scores, torch.split(rows.half(), inputs.sizes[example_indices].tolist())
        return scores, torch.split(rows.float(), 1)

    def key(self) -> str:
        """Return the cache key of the teacher: a hash of what decides its outputs (weights, kernel, code, pooling)."""
        return content_key("teacher", vectors_key(self.encoder, "training"), *head_bytes(self.tuned), str(self.pooling))

    def _require_room(self, inputs: TokenizedExamples) -> None:
        """Refuse states that would not fit, before any is computed."""
        if not self.method.per_token:
            return
        network = self.tuned.network
        vectors = len(self.method.names(self.layers, network.body.tap_names()))
        size = int(inputs.sizes.sum()) * vectors * self.encoder.model.width * _HALF_PRECISION
        if size > _MOST_BYTES:
            what = (
                f"{self.method.name} keeps the teacher's states of {int(inputs.sizes.sum()):,} tokens: {size >> 30} GB"
            )
            raise BadInput(what, where="--method", mend="give --limit, or --method pkd-skip, which keeps one a text")


def _blocks(inputs: TokenizedExamples) -> Iterator[TextBlock]:
    """Yield the texts in blocks, in their order."""
    for start in range(0, len(inputs), _BLOCK):
        yield TextBlock(start, inputs.take(np.arange(start, min(start + _BLOCK, len(inputs)))))
