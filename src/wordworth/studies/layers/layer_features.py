"""The features of probes: the states of all layers of an encoder at every word in a task's spans, computed once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.studies.layers.span_task import SpanTask
from wordworth.text.corpus.index_ranges import ranges, starts_of
from wordworth.training.probes.scratch_array import scratch_array
from wordworth.training.probes.span_probes import SpanBatch

_AT_ONCE, _STILL, _LARGEST = 64, 1e-6, 65_504.0


@dataclass(frozen=True, slots=True, eq=False)
class LayerFeatures:
    """The states of an encoder's layers at the words in a task's spans.

    A row is a word (or a whole text) whose states are stored. A target is the input that a probe labels: one span of a
    text or two.

    Attributes:
        values: float16 [rows, layers, width], the states.
        scale: float32 [layers], 1 over the root mean square of each layer's values, or 0 for a layer of zeros. The
            mixing weights of layers that are scaled in this way can be compared.
        rows: int64 [texts, 2], for each text the index of its first row, and its number of rows.
        targets: int64 [texts, 2], for each text the index of its first target, and its number of targets.
        spans: int64 [targets, spans of a target, 2], for each span the index of its first row, and of the row after its
            last.
        words: bytes that identify the words of `values`: hashes of the files, which texts were read, and which of their
            words are in spans.
    """

    values: Tensor
    scale: Tensor
    rows: Integers
    targets: Integers
    spans: Integers
    words: tuple[bytes, ...]

    @property
    def layers(self) -> int:
        """The number of layers, including the input layer."""
        return int(self.values.shape[1])

    @classmethod
    def of(
        cls, encoder: TextEncoder, task: SpanTask, step: Step, earlier: LayerFeatures | None = None
    ) -> LayerFeatures:
        """Encode the texts of a task once, and return the features with the states that probes need.

        Args:
            encoder: the frozen encoder.
            task: the task; states of words outside its spans are not stored.
            step: advanced by 1 with each text.
            earlier: the features of another task, whose states are reused if they are of the same words; None to
                compute all states.
        """
        used = np.sort(np.concatenate(task.parts))
        lengths = np.zeros(len(task.texts), np.int64)
        lengths[used] = [1 if task.whole_texts else len(task.texts[text]) for text in used]
        first = starts_of(lengths)
        needed, spans = _needed(task, used, first)
        words = (*(str(source["sha256"]).encode() for source in task.sources), used.tobytes(), needed.tobytes())
        if earlier is not None and earlier.words == words:
            values, scale = earlier.values, earlier.scale
        else:
            values, scale = _states(encoder, task, used, needed, step)
        before = starts_of(needed.astype(np.int64))
        texts = np.arange(len(task.texts))
        bounds = np.searchsorted(task.text_of, texts, "left"), np.searchsorted(task.text_of, texts, "right")
        return cls(
            values,
            scale,
            np.stack([before[first[:-1]], before[first[1:]] - before[first[:-1]]], 1),
            np.stack([bounds[0], bounds[1] - bounds[0]], 1),
            before[spans],
            words,
        )

    def batch(self, texts: Integers, layers: slice, labels: Flags) -> SpanBatch:
        """Return the targets of some texts as a batch for a probe, with their states and labels.

        A target is the span, or the two spans, that a probe labels.

        Args:
            texts: int64 [texts], the indices of the texts.
            layers: the layers that the probe reads.
            labels: bool [targets, classes], the labels of all targets of the task.
        """
        rows = ranges(*self.rows[texts].T)
        targets = ranges(*self.targets[texts].T)
        moved = starts_of(self.rows[texts, 1])[:-1] - self.rows[texts, 0]
        spans = self.spans[targets] + np.repeat(moved, self.targets[texts, 1])[:, None, None]
        sides = tuple(_words(spans[:, side]) for side in range(spans.shape[1]))
        states = self.values[torch.from_numpy(rows), layers].float()
        return SpanBatch(states, sides, torch.from_numpy(labels[targets].astype(np.float32)))


def _needed(task: SpanTask, used: Integers, first: Integers) -> tuple[Flags, Integers]:
    """Return whether each word of the used texts is in a span, bool [words], and the spans, int64 [targets, sides, 2].

    Spans are given as indices of words over all used texts, end to end. Spans of texts that are not used are empty.

    Args:
        task: the task.
        used: int64, indices of the texts that are used, ascending.
        first: int64 [texts + 1], index of each text's first word over all used texts.
    """
    spans = task.spans + first[task.text_of][:, None, None]
    spans[~np.isin(task.text_of, used)] = 0
    needed = np.zeros(int(first[-1]) + 1, np.int64)
    np.add.at(needed, spans[..., 0].ravel(), 1)
    np.add.at(needed, spans[..., 1].ravel(), -1)
    return np.cumsum(needed)[:-1] > 0, spans


def _states(encoder: TextEncoder, task: SpanTask, used: Integers, needed: Flags, step: Step) -> tuple[Tensor, Tensor]:
    """Return the fields `values` and `scale` of `LayerFeatures`: the states of the needed words, and their scale.

    Args:
        encoder: the frozen encoder.
        task: the task.
        used: int64, indices of the texts that are used, ascending.
        needed: bool [words], whether the states of each word of the used texts are stored.
        step: advanced by 1 with each text.
    """
    values, start = scratch_array((int(needed.sum()), encoder.depth + 1, encoder.model.width)), 0
    for words, states in _read(encoder, task, used, step):
        rows = states[needed[words]]
        values[start : start + len(rows)] = np.clip(rows, -_LARGEST, _LARGEST)
        start += len(rows)
    return torch.from_numpy(values), _scale(values)


def _words(spans: Integers) -> tuple[Tensor, Tensor]:
    """Return the indices of the words in spans, end to end, and the index of the span of each; int64 [words] both.

    Args:
        spans: int64 [targets, 2], for each span the index of its first word and of the word after its last.
    """
    lengths = spans[:, 1] - spans[:, 0]
    return torch.from_numpy(ranges(spans[:, 0], lengths)), torch.from_numpy(np.repeat(np.arange(len(spans)), lengths))


def _read(
    encoder: TextEncoder, task: SpanTask, used: Integers, step: Step
) -> Iterator[tuple[slice, NDArray[np.float32]]]:
    """Yield for a few texts at a time (slice over the words of all used texts, the words' states).

    The states are float32 [words, layers, width].
    """
    done = 0
    for start in range(0, len(used), _AT_ONCE):
        texts: list[Any] = [task.texts[text] for text in used[start : start + _AT_ONCE]]
        if task.whole_texts:
            states = encoder.pooled_layers(texts)
        else:
            states = encoder.word_states(texts, pooling="mean").values.transpose(1, 0, 2)
        yield slice(done, done + len(states)), states
        done += len(states)
        step.advance(len(texts))


def _scale(values: NDArray[np.float16]) -> Tensor:
    """Return 1 over the root mean square of each layer, or 0 for a layer of zeros, float32 [layers].

    Args:
        values: float16 [rows, layers, width].
    """
    squares = np.zeros(values.shape[1])
    for start in range(0, len(values), 1_024):
        squares += np.square(values[start : start + 1_024].astype(np.float64)).sum((0, 2))
    size = np.sqrt(squares / max(1, len(values) * values.shape[2]))
    return torch.from_numpy(np.where(size > _STILL, 1 / np.maximum(size, _STILL), 0).astype(np.float32))
