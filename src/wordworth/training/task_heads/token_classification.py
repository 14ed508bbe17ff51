"""A tag a word, read at its first piece, with the neighbours of a sentence in its document around it.

Devlin et al. 2019, section 5.3. A CRF above is optional (Lample et al. 2016); the paper has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.models.devices import on_device
from wordworth.models.length_buckets import picked
from wordworth.tasks.task import Examples, Labels, Rows
from wordworth.text.word_boundaries import first_pieces
from wordworth.training.crf import Crf, iob2_forbidden
from wordworth.training.document_context import surrounded
from wordworth.training.finetuning.inputs import TokenizedExamples
from wordworth.training.finetuning.label_tensors import LabelTensors
from wordworth.training.finetuning.losses import loss
from wordworth.training.loop import Loss
from wordworth.training.packed_sequence import PackedWords
from wordworth.training.task_heads.base import Floats, InputReader


@dataclass(frozen=True, slots=True)
class TaggedInputs(TokenizedExamples):
    """Sentences to tag.

    Attributes:
        firsts: int32 [words] of each sentence, where each word's first token stands; -1 where it has none.
        words: int64 [sentences + 1]; sentence i has the words from words[i] to words[i + 1] of all.
    """

    firsts: tuple[NDArray[np.int32], ...]
    words: Rows

    def take(self, units: Rows) -> Self:
        """Some sentences, in that order."""
        taken = TokenizedExamples.take(self, units)
        firsts = tuple(self.firsts[unit] for unit in units)
        return replace(taken, firsts=firsts, words=_ends(firsts))


class TagHead:
    """A score a tag at every token; those of words' first pieces count.

    Args:
        classes: the tags.
        context: the most tokens that a sentence is read with when its neighbours in the document fill up; 0: alone.
        with_crf: whether a CRF reads the scores; it knows the rules of IOB2.
    """

    pooled = False

    def __init__(self, classes: tuple[str, ...], *, context: int = 0, with_crf: bool = False) -> None:
        self.classes, self.context = classes, context
        self.crf = Crf(len(classes), iob2_forbidden(classes)) if with_crf else None

    @property
    def outputs(self) -> int:
        """A score a tag."""
        return len(self.classes)

    @property
    def extra(self) -> nn.Module | None:
        """The CRF, where there is one."""
        return self.crf

    def encode(self, reader: InputReader, examples: Examples) -> TaggedInputs:
        """`[CLS] sentence [SEP]`, or with what stands before and after it in its document."""
        assert examples.words is not None, "sentences to tag have words"  # noqa: S101 - by the contract of the kind
        words = [list(sentence) for sentence in examples.words]
        whole = reader.tokenizer.encode_words(words) if words else []
        tokens = [reader.within(each) for each in whole]
        if self.context:
            tokens = surrounded(tokens, examples.documents, min(self.context, reader.most))
        firsts = tuple(first_pieces(each, len(given)) for each, given in zip(tokens, words, strict=True))
        long = np.array([len(each) > reader.limit for each in whole], dtype=bool)
        return TaggedInputs(tuple(tokens), np.arange(len(tokens) + 1), long, firsts, _ends(firsts))

    def targets(self, labels: Labels, inputs: TokenizedExamples) -> LabelTensors:  # noqa: ARG002 - a Head
        """The tags of all words end to end."""
        return LabelTensors.of("tags", labels, self.outputs)

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, units: Rows) -> Loss:
        """Cross-entropy at each word, or minus each sentence's log-probability; words without pieces teach nothing.

        A CRF stands on the processor: its hundreds of tiny steps take a GPU longer to be told of than to do.
        """
        assert isinstance(inputs, TaggedInputs)  # noqa: S101 - it made them
        places, words, lengths = _known(inputs, units)
        said = picked(scores, on_device(places, scores)).float()
        if self.crf is None:
            return Loss(loss("tags", said, gold.of_units(words, said)), len(words))
        order = PackedWords.of(lengths, np.arange(len(lengths)))
        if not order.batch_sizes:
            return Loss(said.sum() * 0, 0)
        emissions = picked(said, on_device(order.rows, said)).cpu()
        tags = opened(gold.values[words].numpy(), lengths, self.classes)[order.rows]
        return Loss(self.crf.losses(emissions, torch.from_numpy(tags), order.batch_sizes).sum(), len(words))

    def tune(self, scores: Sequence[Floats], labels: Labels, inputs: TokenizedExamples) -> dict[str, float]:  # noqa: ARG002 - a Head
        """Nothing is left to choose."""
        return {}

    @torch.no_grad()
    def predict(
        self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples
    ) -> tuple[NDArray[np.int64], ...]:
        """One tag a word; words without pieces, or beyond the cut, get the most usual tag."""
        assert isinstance(inputs, TaggedInputs)  # noqa: S101 - it made them
        usual = int(gold.bias.argmax())
        return tuple(self._tags(each, firsts, usual) for each, firsts in zip(scores, inputs.firsts, strict=True))

    def _tags(self, scores: Floats, firsts: NDArray[np.int32], usual: int) -> NDArray[np.int64]:
        tags = np.full(len(firsts), usual, dtype=np.int64)
        known = firsts >= 0
        if known.any():
            tags[known] = self._best(scores[firsts[known]])
        return tags

    def _best(self, scores: Floats) -> NDArray[np.int64]:
        if self.crf is None:
            return np.asarray(scores.argmax(1))
        best: NDArray[np.int64] = self.crf.decode(torch.from_numpy(scores), (1,) * len(scores)).numpy()
        return best


def opened(tags: Rows, lengths: Rows, classes: tuple[str, ...]) -> Rows:
    """The tags of sentences end to end, where a rule is broken `B-x` for `I-x`.

    Only what was left out breaks one: an entity whose first word has no piece, or was cut, begins at its second.
    """
    forbidden, begins = _openings(classes)
    before = np.concatenate([[len(classes)], tags[:-1]])
    before[(np.cumsum(lengths) - lengths)[lengths > 0]] = len(classes)
    return np.where(forbidden[before, tags], begins[tags], tags)


@cache
def _openings(classes: tuple[str, ...]) -> tuple[NDArray[np.bool_], Rows]:
    """Which tag may not follow which, and the tag that begins each one's entity: asked for at every step."""
    number = {name: tag for tag, name in enumerate(classes)}
    return iob2_forbidden(classes), np.array([number.get(f"B-{name[2:]}", tag) for name, tag in number.items()])


def _ends(firsts: Sequence[NDArray[np.int32]]) -> Rows:
    """Where each sentence's words begin among those of all, and their end."""
    return np.cumsum([0, *map(len, firsts)], dtype=np.int64)


def _known(inputs: TaggedInputs, units: Rows) -> tuple[Rows, Rows, Rows]:
    """The words with a piece of some sentences.

    Returns:
        Each one's place in the batch, its number among the words of all sentences, and how many each sentence has.
    """
    starts = np.cumsum([0, *(len(tokens) for tokens in inputs.sequences(units))])[:-1]
    firsts = [inputs.firsts[unit] for unit in units]
    empty = np.zeros(0, np.int64)
    places = [start + each[each >= 0] for start, each in zip(starts, firsts, strict=True)]
    words = [inputs.words[unit] + np.flatnonzero(each >= 0) for unit, each in zip(units, firsts, strict=True)]
    lengths = np.array([len(each) for each in places], dtype=np.int64)
    return np.concatenate([empty, *places]), np.concatenate([empty, *words]), lengths
