"""Token classification: a tag per word, scored at its first subword, with document context around the sentence.

Devlin et al. 2019, section 5.3. A CRF on top is optional (Lample et al. 2016); the paper has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.models.devices import on_device
from wordworth.models.length_buckets import gather_rows
from wordworth.tasks.task import Examples, Rows
from wordworth.tasks.task_types import TaskType
from wordworth.text.word_boundaries import first_pieces
from wordworth.training.crf import Crf, iob2_forbidden
from wordworth.training.document_context import with_document_context
from wordworth.training.finetuning.label_tensors import LabelTensors, label_loss
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples
from wordworth.training.loop import Loss
from wordworth.training.pack_words_by_time import PackedWords
from wordworth.training.task_heads.base import Floats, HeadOptions, InputReader, TaskHead


@dataclass(frozen=True, slots=True)
class TaggedInputs(TokenizedExamples):
    """Tokenized sentences whose words are tagged.

    Attributes:
        firsts: for each sentence, int32 [words], the position of each word's first token; -1 for a word without tokens.
        words: int64 [sentences + 1]; words of all sentences are numbered end to end, and sentence i has the words from
            words[i] to words[i + 1].
    """

    firsts: tuple[NDArray[np.int32], ...]
    words: Rows

    def take(self, example_indices: Rows) -> Self:
        """Return some of the sentences, in the order of the indices.

        Args:
            example_indices: int64 [n], the indices of the sentences.
        """
        taken = TokenizedExamples.take(self, example_indices)
        firsts = tuple(self.firsts[example] for example in example_indices)
        return replace(taken, firsts=firsts, words=_ends(firsts))


class TagHead(TaskHead):
    """The head of tagging, which scores every tag at the first subword of each word.

    Args:
        classes: the tags.
        context: size in tokens of the window that is filled up with neighbouring sentences of the document; 0 reads
            each sentence alone.
        with_crf: whether a CRF with the transition rules of IOB2 decodes the scores.
    """

    pooled = False

    def __init__(self, classes: tuple[str, ...], *, context: int = 0, with_crf: bool = False) -> None:
        super().__init__(num_scores=len(classes))
        self.classes, self.context = classes, context
        self.crf = Crf(len(classes), iob2_forbidden(classes)) if with_crf else None
        self.extra = self.crf

    def encode(self, reader: InputReader, examples: Examples) -> TaggedInputs:
        """Encode each sentence as `[CLS] sentence [SEP]`, with its neighbours in the document if `context` is set."""
        assert examples.words is not None, "sentences to tag have words"  # noqa: S101 - by the contract of the kind
        words = [list(sentence) for sentence in examples.words]
        whole = reader.tokenizer.encode_words(words) if words else []
        tokens = [reader.within(each) for each in whole]
        if self.context:
            tokens = with_document_context(tokens, examples.documents, min(self.context, reader.encoder_limit))
        firsts = tuple(first_pieces(each, len(sentence)) for each, sentence in zip(tokens, words, strict=True))
        long = np.array([len(each) > reader.limit for each in whole], dtype=bool)
        return TaggedInputs(tuple(tokens), np.arange(len(tokens) + 1), long, firsts, _ends(firsts))

    def loss(self, scores: Tensor, gold: LabelTensors, inputs: TokenizedExamples, example_indices: Rows) -> Loss:
        """Return the loss of a batch: the cross-entropy of words or, with a CRF, minus the log-probability of tags.

        Words without subwords are left out. The CRF runs on the CPU, which is faster than launching its hundreds of
        tiny steps on a GPU.

        Args:
            scores: [tokens, tags], the score of each tag at each token of the batch.
            gold: the targets of all training examples.
            inputs: all training examples.
            example_indices: int64 [sentences], the indices of the batch's sentences among all training examples.
        """
        assert isinstance(inputs, TaggedInputs)  # noqa: S101 - it made them
        positions, words, lengths = _known(inputs, example_indices)
        word_scores = gather_rows(scores, on_device(positions, scores.device)).float()
        if self.crf is None:
            return Loss(label_loss(word_scores, gold.of_examples(words, word_scores.device)), len(words))
        order = PackedWords.of(lengths)
        if not order.batch_sizes:
            return Loss(word_scores.sum() * 0, 0)
        emissions = gather_rows(word_scores, on_device(order.rows, word_scores.device)).cpu()
        tags = repair_iob2(gold.values[words].numpy(), lengths, self.classes)[order.rows]
        return Loss(self.crf.losses(emissions, torch.from_numpy(tags), order.batch_sizes).sum(), len(words))

    @torch.no_grad()
    def predict(
        self, scores: Sequence[Floats], gold: LabelTensors, inputs: TokenizedExamples
    ) -> tuple[NDArray[np.int64], ...]:
        """Return for each sentence the index of each word's predicted tag, int64 [words].

        Words without subwords, and words beyond the cut of a long sentence, get the most frequent tag.

        Args:
            scores: for each sentence, float32 [tokens, tags], the score of each tag at each token.
            gold: the labels, from which the most frequent tag is known.
            inputs: the sentences.
        """
        assert isinstance(inputs, TaggedInputs)  # noqa: S101 - it made them
        most_frequent = int(gold.bias.argmax())
        return tuple(
            self._tags(each, firsts, most_frequent) for each, firsts in zip(scores, inputs.firsts, strict=True)
        )

    def _tags(self, scores: Floats, firsts: NDArray[np.int32], most_frequent: int) -> NDArray[np.int64]:
        tags = np.full(len(firsts), most_frequent, dtype=np.int64)
        known = firsts >= 0
        if known.any():
            tags[known] = self._best(scores[firsts[known]])
        return tags

    def _best(self, scores: Floats) -> NDArray[np.int64]:
        if self.crf is None:
            return np.asarray(scores.argmax(1))
        best: NDArray[np.int64] = self.crf.decode(
            torch.from_numpy(scores), PackedWords.of(np.array([len(scores)]))
        ).numpy()
        return best


def repair_iob2(tags: Rows, lengths: Rows, classes: tuple[str, ...]) -> Rows:
    """Return the tags, int64 [words], with `I-x` replaced by `B-x` where it breaks the rules of IOB2.

    `I-x` breaks the rules only after words without a prediction: if the first word of an entity has no subword or was
    cut off, the entity begins with its second word.

    Args:
        tags: int64 [words], the indices of the tags of all sentences, end to end.
        lengths: int64 [sentences], number of words of each sentence.
        classes: the names of the tags.
    """
    forbidden, begins = _openings(classes)
    before = np.concatenate([[len(classes)], tags[:-1]])
    before[(np.cumsum(lengths) - lengths)[lengths > 0]] = len(classes)
    return np.where(forbidden[before, tags], begins[tags], tags)


@cache
def _openings(classes: tuple[str, ...]) -> tuple[NDArray[np.bool_], Rows]:
    """Return (transitions that IOB2 forbids, for each tag the index of the tag that begins its entity).

    The first is bool [tags + 1, tags], as `iob2_forbidden` returns it; the second is int64 [tags], `B-x` for `I-x`, the
    tag itself if there is no such tag. The result is cached.
    """
    number = {name: tag for tag, name in enumerate(classes)}
    return iob2_forbidden(classes), np.array([number.get(f"B-{name[2:]}", tag) for name, tag in number.items()])


def _ends(firsts: Sequence[NDArray[np.int32]]) -> Rows:
    """Return the index of each sentence's first word among all words, and the number of words: [sentences + 1]."""
    return np.cumsum([0, *map(len, firsts)], dtype=np.int64)


def _known(inputs: TaggedInputs, example_indices: Rows) -> tuple[Rows, Rows, Rows]:
    """Return the words with a subword of the sentences with the indices `example_indices`.

    Returns:
        (int64 [words], the position in the batch of each word's first token; int64 [words], the index of each word
        among the words of all sentences; int64 [sentences], the number of such words of each sentence).
    """
    starts = np.cumsum([0, *(len(tokens) for tokens in inputs.sequences(example_indices))])[:-1]
    firsts = [inputs.firsts[example] for example in example_indices]
    empty = np.zeros(0, np.int64)
    positions = [start + each[each >= 0] for start, each in zip(starts, firsts, strict=True)]
    words = [
        inputs.words[example] + np.flatnonzero(each >= 0) for example, each in zip(example_indices, firsts, strict=True)
    ]
    lengths = np.array([len(each) for each in positions], dtype=np.int64)
    return np.concatenate([empty, *positions]), np.concatenate([empty, *words]), lengths


def make_head(task_type: TaskType, classes: tuple[str, ...], options: HeadOptions) -> TagHead:  # noqa: ARG001 - a head's factory
    """Return the head of tagging, with the document context and the CRF of the options.

    Args:
        task_type: the kind of task.
        classes: the tags.
        options: the document context, and whether a CRF decodes the scores.
    """
    return TagHead(classes, context=options.context, with_crf=options.crf)
