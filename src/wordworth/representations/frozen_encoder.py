"""The frozen rung: a pretrained contextual encoder, not fine-tuned, and a linear model that learns from its states.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.cpu_inference import int8_unsupported
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.representations.feature_blocks import Features
from wordworth.representations.feature_rung import NoCache, RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.heads.scalar_mix import LAYERS, ScalarMixHead
from wordworth.representations.lazy_feature_sets import Lazy, SingleFlight, pair_views
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung, VocabularyCoverage
from wordworth.representations.shared_encoder import load_encoder, parameter_count
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import IN_LADDER
from wordworth.text.windows import LongTexts
from wordworth.text.word_boundaries import words

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder

Floats = NDArray[np.float32]
LAST4 = "last4"
_LAST = 4


@dataclass(frozen=True, slots=True)
class Frozen(Rung):
    """A rung with a contextual encoder that is not fine-tuned; its head selects among the layers by cross-validation.

    Args:
        model: the encoder: a catalogue name, a folder or a cached hub name.
        head: the estimator that learns the labels from the encoder's states and, unless the task is tagging, from a
            learned mix of its layers.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "frozen"
    contextual = True

    @property
    def name(self) -> str:
        """The short name of the model, such as `minilm`."""
        return short_name(self.model)

    @property
    def title(self) -> str:
        """The title of the rung, such as `MiniLM (frozen)`."""
        return f"{display_name(self.model)} (frozen)"

    def kinds(self) -> frozenset[Kind]:
        """Return the names of the kinds of task that the rung supports: the kinds that its head supports."""
        return self.head.kinds

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the encoder and compute the states of every text of the task.

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = self.load(run_context)
        states = Contextual(encoder, self.name, self.title, vectors_key(encoder, "representations"))
        head = self.head if task.type.labels_words else ScalarMixHead(inner=self.head, shape=states.shape)
        return RepresentationRung(states, head).prepare(task, run_context)

    def load(self, run_context: RunContext) -> TextEncoder:
        """Load the encoder, to compute in the dtype and on the device of the run.

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        return load_encoder(self.model, run_context.dtype, run_context.device)


@dataclass(frozen=True, slots=True)
class FrozenInt8(Frozen):
    """A rung with a frozen encoder that computes in int8 on a CPU; its states differ slightly from float32 states."""

    by_name = True

    @property
    def name(self) -> str:
        """The name of the rung, such as `minilm-int8`."""
        return f"{short_name(self.model)}-int8"

    @property
    def title(self) -> str:
        """The title of the rung, such as `MiniLM (frozen in int8)`."""
        return f"{display_name(self.model)} (frozen in int8)"

    def load(self, run_context: RunContext) -> TextEncoder:  # noqa: ARG002 - the dtype is this rung's own
        """Load the encoder, to compute in int8.

        Raises:
            BadInput: no encoder of that name is on this machine, its files are damaged, or this processor or this kind
                of model does not support int8.
        """
        encoder = load_encoder(self.model, "int8")
        if encoder.dtype != "int8":
            raise int8_unsupported(encoder.model, "--rung", f"leave {self.name} out, or name {short_name(self.model)}")
        return encoder


@dataclass(frozen=True, slots=True)
class Contextual(Representation):
    """A representation by the hidden states of an encoder, computed in one pass over the texts and cached on disk.

    Views (alternative feature sets, among which the head selects) of whole texts:

    * `sentence`, the checkpoint's own text vector;
    * one view for each of a few layers at two thirds of the depth and above, where features are most general: the mean
      over tokens;
    * `last4`, the means of the last four layers side by side;
    * `layers`, the means of all layers side by side, for `ScalarMixHead`.

    For pairs of texts, each view but `last4` and `layers` has a second view with only the distances between the two
    texts. For tagging the views are `last`, the last layer's state of a word's first subword, and `last4`, the states
    of the last four layers side by side.

    Attributes:
        key: identifies the encoder in cache keys, equal for encoders that compute the same vectors.
        subword_counts: texts -> int64 [2, texts], the cached numbers of their subwords and unknown subwords.
    """

    encoder: TextEncoder
    name: str
    title: str
    key: str
    family = "frozen"
    contextual = True
    subword_counts: SingleFlight[NDArray[np.int64]] = field(
        default_factory=lambda: SingleFlight(2), compare=False, repr=False
    )

    @property
    def shape(self) -> tuple[int, int]:
        """The number of layers and the width of a layer in the view (feature set) `layers`."""
        return self.encoder.depth + 1, self.encoder.model.width

    def kinds(self) -> frozenset[Kind]:
        """Return the names of all kinds of task."""
        return IN_LADDER

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the views (feature sets) of texts; this call computes and caches the encoder's states for all of them.

        If the run context has no cache, the states are computed when a view is first used.
        """
        if examples.words is not None:
            return self._word_views(examples.words, run_context)
        first = self._text_views(examples.first, run_context)
        if examples.second is None:
            return Lazy(first)
        second = self._text_views(examples.second, run_context)
        # Pair features of the widest views would be too many for the number of labels that pair tasks have.
        narrow = {view: make for view, make in first.items() if view not in (LAST4, LAYERS)}
        layers = {LAYERS: lambda: np.hstack([first[LAYERS](), second[LAYERS]()])}
        return Lazy(pair_views(narrow, second) | layers)

    def cost(self) -> Cost:
        """Return the size of the encoder's float32 weights, and the width of the widest view (feature set), `last4`."""
        numbers = parameter_count(self.encoder)
        return Cost.of_float32(numbers, min(_LAST, self.encoder.depth) * self.encoder.model.width)

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return whether each example has a text longer than the encoder's window, bool [n]."""
        special = self.encoder.tokenizer.prefix + self.encoder.tokenizer.suffix
        parts = [part for part in (examples.first, examples.second) if part is not None]
        longest = np.max([self._subword_counts(part)[0] for part in parts], axis=0, initial=0)
        return np.asarray(longest + special > self.encoder.max_length, dtype=np.bool_)

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage:
        """Count the subwords that the tokenizer maps to its unknown token, as in scripts absent from its vocabulary."""
        parts = [part for part in (examples.first, examples.second) if part is not None]
        pieces, unknown = np.hstack([self._subword_counts(part) for part in parts])
        blank = int(((unknown > 0) & (unknown == pieces)).sum())
        texts = [text for part in parts for text in part]
        num_words = sum(len(words(text)) for text in texts)
        characters = sum(len(word) for text in texts for word in text.split())
        return VocabularyCoverage(int(pieces.sum()), int(unknown.sum()), blank, "pieces", num_words, characters)

    def _subword_counts(self, texts: tuple[str, ...]) -> NDArray[np.int64]:
        """Return the number of subwords and the number of unknown subwords of each text, int64 [2, texts]; cached."""

        def count() -> NDArray[np.int64]:
            unknown = self.encoder.tokenizer.special_ids.get("unk", -1)
            ids_of_texts = self.encoder.tokenizer.ids(texts, special=False)
            return np.array(
                [[len(ids) for ids in ids_of_texts], [int((ids == unknown).sum()) for ids in ids_of_texts]],
                dtype=np.int64,
            )

        return self.subword_counts.get(texts, count)

    def _text_views(self, texts: tuple[str, ...], run_context: RunContext) -> dict[str, Callable[[], Floats]]:
        depth, width = self.encoder.depth, self.encoder.model.width
        last = max(1, depth + 1 - _LAST)

        def read(long_texts: LongTexts) -> Floats:
            return self.encoder.pooled_layers(texts, long_texts=long_texts, progress=run_context.progress)

        @cache
        def layers() -> Floats:
            return self._cached(LAYERS, texts, run_context, lambda: read(run_context.long_texts))

        @cache
        def sentences() -> Floats:
            return self._sentences(texts, run_context, layers)

        if not isinstance(run_context.cache, NoCache):
            layers()  # before fits in several threads need them, as this time is counted as preparation
            sentences()
        views: dict[str, Callable[[], Floats]] = {"sentence": sentences}
        for layer in self.single_layers:
            views[f"layer {layer}"] = lambda layer=layer: layers()[:, layer]  # type: ignore[misc] # a lambda's default
        views[LAST4] = lambda: layers()[:, last:].reshape(len(texts), -1)
        views[LAYERS] = lambda: layers().reshape(len(texts), (depth + 1) * width)
        return views

    @property
    def single_layers(self) -> tuple[int, ...]:
        """The numbers of the layers that are views (feature sets): at two thirds and at five sixths of the depth."""
        middle = -(-2 * self.encoder.depth // 3)
        return tuple(sorted({middle, (middle + self.encoder.depth) // 2} - {self.encoder.depth}))

    def _sentences(self, texts: tuple[str, ...], run_context: RunContext, layers: Callable[[], Floats]) -> Floats:
        """Return the checkpoint's own text vectors, float32 [texts, width].

        Args:
            texts: the texts.
            run_context: the cache and the settings of the encoder.
            layers: returns the pooled states of all layers, [texts, layers, width]. It is called only if the vectors
                can be computed from these states, and not for new texts (`NoCache`), where embedding is faster.
        """
        head = self.encoder.head
        if head.modes != ("mean",) or isinstance(run_context.cache, NoCache):

            def embed() -> Floats:
                read = self.encoder.embed(texts, long_texts=run_context.long_texts, progress=run_context.progress)
                return read.vectors

            return self._cached("sentence", texts, run_context, embed)
        from torch import from_numpy

        vectors = from_numpy(layers()[:, -1])
        for step in head.steps:
            vectors = step(vectors)
        return vectors.numpy()

    def _word_views(self, sentences: tuple[tuple[str, ...], ...], run_context: RunContext) -> Mapping[str, Features]:
        depth, width = self.encoder.depth, self.encoder.model.width
        wanted = tuple(range(max(1, depth + 1 - _LAST), depth + 1))

        def read() -> Floats:
            values = self.encoder.word_states(sentences, layers=wanted, pooling="first").values
            return np.ascontiguousarray(values.transpose(1, 0, 2)).reshape(-1, len(wanted) * width)

        @cache
        def words() -> Floats:
            joined = "\x1e".join("\x1f".join(sentence) for sentence in sentences)
            return self._cached("words", (joined,), run_context, read)

        if not isinstance(run_context.cache, NoCache):
            words()
        return Lazy({"last": lambda: words()[:, -width:], LAST4: words})

    def _cached(
        self, view: str, texts: tuple[str, ...], run_context: RunContext, compute: Callable[[], Floats]
    ) -> Floats:
        """Return the array that `compute` returns, [texts or words, ...], from the run's cache if it is stored there.

        Args:
            view: the name of the array, a part of its key in the cache.
            texts: the texts of which the array holds vectors, a part of the key.
            run_context: the cache and the settings of the encoder.
            compute: returns the array.
        """
        cut = () if run_context.long_texts == "window" else (run_context.long_texts,)
        values: Floats = run_context.cache.array(content_key(self.key, *cut, view, *texts), compute)
        return values
