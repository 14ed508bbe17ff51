"""The frozen contextual rung: a pretrained encoder's states, unchanged, under the shared head."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.representations.feature_blocks import Features
from wordworth.representations.feature_rung import NoCache, RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.heads.scalar_mix import LAYERS, Mixing
from wordworth.representations.lazy_views import LazyViews, SingleFlight, pair_distances, pair_features
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung, VocabularyCoverage
from wordworth.representations.shared_encoder import load_encoder, parameter_count
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import IN_LADDER
from wordworth.text.windows import LongTexts

if TYPE_CHECKING:
    from wordworth.models.text_encoder import TextEncoder

Floats = NDArray[np.float32]
LAST4 = "last4"
_LAST = 4
_BYTES_A_NUMBER = 4


@dataclass(frozen=True, slots=True)
class Frozen(Rung):
    """A contextual encoder that is not trained; the view of its layers is chosen on the training labels.

    Args:
        model: a catalogue name, a folder or a cached hub name.
        head: above it; the linear one also learns a mix of the layers.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "frozen"
    contextual = True

    @property
    def name(self) -> str:
        """`minilm`."""
        return short_name(self.model)

    @property
    def title(self) -> str:
        """`MiniLM, frozen`."""
        return f"{display_name(self.model)}, frozen"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the encoder and read every text of the task once.

        Raises:
            BadInput: no encoder of that name is on this machine, or its files are damaged.
            MissingExtra: torch is not installed.
        """
        encoder = load_encoder(self.model)
        states = Contextual(encoder, self.name, self.title, vectors_key(encoder, "representations"))
        head = self.head if task.type.labels_words else Mixing(inner=self.head, shape=states.shape)
        return RepresentationRung(states, head).open(task, run_context)


@dataclass(frozen=True, slots=True)
class Contextual(Representation):
    """An encoder's states as a representation.

    Texts: `sentence`, the checkpoint's own vector of a text; the mean over tokens of the layers around two thirds of
    the depth, where general-purpose features are best and training for similarity has changed them least; the means of
    the last four layers side by side; and `layers`, all of them, for a mix to be learned from. Words to tag: `last`,
    the state of a word's first subword in the last layer, and `last4`. A pair is `[u, v, |u - v|, u * v, cosine]` of
    its texts' vectors or, as a view of its own, their distances alone. Everything comes from one pass and is cached on
    disk.

    Attributes:
        key: of the cache, the same for encoders that give the same vectors.
        counted: subword counts of the texts last counted.
    """

    encoder: TextEncoder
    name: str
    title: str
    key: str
    family = "frozen"
    contextual = True
    counted: SingleFlight[NDArray[np.int64]] = field(default_factory=lambda: SingleFlight(2), compare=False, repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Number of layers and width of the view `layers`."""
        return self.encoder.depth + 1, self.encoder.model.width

    def kinds(self) -> frozenset[Kind]:
        """Return every kind of task."""
        return IN_LADDER

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:
        """Return the views above, computed now; for new texts (a context without cache) each is computed when used."""
        if examples.words is not None:
            return self._of_words(examples.words, run_context)
        first = self._of_texts(examples.first, run_context)
        if examples.second is None:
            return LazyViews(first)
        second = self._of_texts(examples.second, run_context)
        wholes: dict[str, Callable[[], Features]] = {}
        for view in first:
            if view not in (
                LAST4,
                LAYERS,
            ):  # four times as wide again: too wide for the number of labels that pair tasks have
                wholes[view] = lambda view=view: pair_features(first[view](), second[view]())  # type: ignore[misc] # a lambda's default
                wholes[f"{view}-likeness"] = lambda view=view: pair_distances(first[view](), second[view]())  # type: ignore[misc] # as above
        wholes[LAYERS] = lambda: np.hstack([first[LAYERS](), second[LAYERS]()])
        return LazyViews(wholes)

    def cost(self) -> Cost:
        """Return the encoder's float32 weights; the widest view is the last four layers side by side."""
        numbers = parameter_count(self.encoder)
        return Cost(_BYTES_A_NUMBER * numbers, numbers, min(_LAST, self.encoder.depth) * self.encoder.model.width)

    def exceeds_window(self, examples: Examples) -> NDArray[np.bool_]:
        """Return bool [n]: the examples with a text of more tokens than the encoder reads at once."""
        special = self.encoder.tokenizer.prefix + self.encoder.tokenizer.suffix
        parts = [part for part in (examples.first, examples.second) if part is not None]
        longest = np.max([self._pieces(part)[0] for part in parts], axis=0, initial=0)
        return np.asarray(longest + special > self.encoder.max_length, dtype=np.bool_)

    def vocabulary_coverage(self, examples: Examples) -> VocabularyCoverage:
        """Count subwords that the tokenizer maps to its unknown token, as in scripts it was not made for."""
        counts = [self._pieces(part) for part in (examples.first, examples.second) if part is not None]
        pieces, unknown = np.hstack(counts)
        blank = int(((unknown > 0) & (unknown == pieces)).sum())
        return VocabularyCoverage(int(pieces.sum()), int(unknown.sum()), blank, "pieces")

    def _pieces(self, texts: tuple[str, ...]) -> NDArray[np.int64]:
        """Return int64 [2, texts]: each text's number of subwords, and of unknown ones; cached."""

        def count() -> NDArray[np.int64]:
            unknown = self.encoder.tokenizer.special_ids.get("unk", -1)
            ids_of_texts = self.encoder.tokenizer.ids(texts, special=False)
            return np.array(
                [[len(ids) for ids in ids_of_texts], [int((ids == unknown).sum()) for ids in ids_of_texts]],
                dtype=np.int64,
            )

        return self.counted.get(texts, count)

    def _of_texts(self, texts: tuple[str, ...], run_context: RunContext) -> dict[str, Callable[[], Floats]]:
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
            layers()  # now, before fits in several threads need them: reading belongs to the cost of opening
            sentences()
        views: dict[str, Callable[[], Floats]] = {"sentence": sentences}
        for layer in self.single_layers:
            views[f"layer {layer}"] = lambda layer=layer: layers()[:, layer]  # type: ignore[misc] # a lambda's default
        views[LAST4] = lambda: layers()[:, last:].reshape(len(texts), -1)
        views[LAYERS] = lambda: layers().reshape(len(texts), (depth + 1) * width)
        return views

    @property
    def single_layers(self) -> tuple[int, ...]:
        """Layers that are views by themselves: the one at two thirds of the depth, and one between it and the last."""
        middle = -(-2 * self.encoder.depth // 3)
        return tuple(sorted({middle, (middle + self.encoder.depth) // 2} - {self.encoder.depth}))

    def _sentences(self, texts: tuple[str, ...], run_context: RunContext, layers: Callable[[], Floats]) -> Floats:
        """Return the checkpoint's own vectors: from the pass over all layers, or for new texts by the fastest path."""
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

    def _of_words(self, sentences: tuple[tuple[str, ...], ...], run_context: RunContext) -> Mapping[str, Features]:
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
        return LazyViews({"last": lambda: words()[:, -width:], LAST4: words})

    def _cached(
        self, what: str, texts: tuple[str, ...], run_context: RunContext, compute: Callable[[], Floats]
    ) -> Floats:
        """Return the array from the run context's cache, always as float32."""
        cut = () if run_context.long_texts == "window" else (run_context.long_texts,)
        values: Floats = run_context.cache.array(content_key(self.key, *cut, what, *texts), compute)
        return values
