"""Smaller variants of a sentence encoder, each with a linear head of its own that learns from the training rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Predicted
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.models.cpu_inference.select_dtype_and_kernel import accelerate
from wordworth.models.int8_and_bit_vectors import Vectors
from wordworth.models.load import EncoderSpec
from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.pruning import require_heads, size_of, weight_bytes
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.transformer import Transformer
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_head import FittedLinear, LinearHead
from wordworth.representations.lazy_feature_sets import cosines, pair_features
from wordworth.studies.compression_frontier import WHOLE, Candidate
from wordworth.studies.remove_heads_and_layers import fewer_layers
from wordworth.studies.shrink.finetuned_candidates import distinct_names
from wordworth.tasks.task import Examples, Task
from wordworth.training.finetuning.run_folder import find_model_folder

_VIEW = "vectors"
_DTYPES: tuple[Dtype, ...] = ("bfloat16", "int8")


@dataclass(frozen=True, slots=True)
class EncoderVariants:
    """A sentence encoder with its smaller variants.

    Attributes:
        name: name of the encoder.
        encoder: the encoder, computing in float32.
        task: labelled rows; linear heads learn from the training part.
        seed: seed of the training of linear heads.
        others: names and models of other, smaller encoders that are compared too.
    """

    name: str
    encoder: TextEncoder
    task: Task
    seed: int
    others: tuple[tuple[str, TextEncoder], ...] = ()

    @property
    def by_cosine(self) -> bool:
        """Whether predictions are cosines of two texts, without a trained head, as for pairs of texts with scores."""
        return self.task.examples.second is not None and self.task.type.numeric

    @property
    def model(self) -> Transformer:
        """The transformer network of the encoder.

        Raises:
            BadInput: the encoder is no transformer.
        """
        return require_heads(self.encoder.model, self.name)

    def candidates(self) -> Iterator[Candidate[Examples]]:
        """Yield the encoder in float32, in bfloat16, in int8 and with fewer layers, then the other encoders.

        A number type is left out if this machine has no fast kernel for it.
        """
        yield self._candidate(WHOLE, WHOLE, self.encoder)
        for dtype in _DTYPES:
            other = EncoderSpec(name=self.name, dtype=dtype, hash_whole=True).open()
            if other.kernel != "plain":
                yield self._candidate(dtype, dtype, other, dtype)
        for name, model in fewer_layers(self.model):
            reader, kernel = accelerate(model, "float32", self.encoder.tokenizer.encode)
            shortened = replace(self.encoder.with_model(model), state_reader=reader, kernel=kernel)
            yield self._candidate(name, "layers dropped", shortened)
        for name, other in self.others:
            yield self._candidate(name, "another model", other)

    def _candidate(self, name: str, method: str, encoder: TextEncoder, dtype: Dtype = "float32") -> Candidate[Examples]:
        size, stored = size_of(encoder.model), weight_bytes(encoder.model, dtype)
        predict = (lambda examples: _cosines(encoder, examples)) if self.by_cosine else self._head(encoder)
        return Candidate(name, predict, size, stored, method)

    def _head(self, encoder: TextEncoder) -> Callable[[Examples], Predicted]:
        """Return the prediction function of a linear head, which learns at its first call.

        The head learns from the encoder's vectors of the training part. It is not trained if the results of the model
        are in the cache, as the function is then not called.
        """

        @cache
        def fitted() -> FittedLinear:
            task, head = self.task, LinearHead()
            known, target = _features(encoder, task.examples.take(task.train)), Target.of(task, task.train)
            rng = seeds.child(self.seed, "shrink", "head")
            choice = head.choose(lambda own, other: ({_VIEW: known[own]}, {_VIEW: known[other]}), target, rng)
            return head.learn({_VIEW: known}, target, choice, rng)

        return lambda examples: fitted().predict(_features(encoder, examples))


def read_encoders(folders: Sequence[str]) -> tuple[tuple[str, TextEncoder], ...]:
    """Load the sentence encoders that are compared with the studied one, in float32; return (name, encoder) of each.

    Args:
        folders: names or folders of the encoders.

    Raises:
        BadInput: there is no such encoder, or a folder holds a fine-tuned model.
    """
    for folder in folders:
        if find_model_folder(Path(folder)) is not None:
            what = "this is a fine-tuned model, and a sentence encoder is made smaller here"
            mend = "give --also another sentence encoder, or name the folder of a fine-tuning in its place"
            raise BadInput(what, where=folder, mend=mend)
    names = distinct_names(folders)
    return tuple((name, EncoderSpec(name=folder, hash_whole=True).open()) for name, folder in names.items())


def vectors_of(encoder: TextEncoder, texts: tuple[str, ...]) -> Vectors:
    """Return the vectors of texts, scaled to length 1, float32 [n, width], computed on one thread."""
    with ONE_THREAD.limit():
        vectors: Vectors = encoder.embed(texts).vectors
    return unit_or_zero(vectors)


def _features(encoder: TextEncoder, examples: Examples) -> Vectors:
    first = vectors_of(encoder, examples.first)
    return first if examples.second is None else pair_features(first, vectors_of(encoder, examples.second))


def _cosines(encoder: TextEncoder, examples: Examples) -> Floats:
    first, second = (vectors_of(encoder, texts) for texts in (examples.first, examples.second or ()))
    return cosines(first, second).astype(np.float64)
