"""`check_server`: compare a server's vectors with a local model's vectors, and name the likely cause of a difference.

The canaries (`models.canary_texts`) are texts whose vectors differ between servers that pool, prompt or truncate
differently. If the server's vectors of the canaries differ from the local model's, the local model computes them again
with each known mistake. The check then names the mistake that reproduces the server's vectors.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, ZeroVectorWarning
from wordworth.inference.check_model_files import Check
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.measures.words.word_pairs import cosines
from wordworth.models.canary_texts import CANARIES
from wordworth.models.load import Loaded, load
from wordworth.models.pooling import SentencePooling
from wordworth.models.prompts import with_prompt_of
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.vector_space_identity import SAME
from wordworth.models.zero_vector_warning import count_zeros
from wordworth.retrieval.manifest import Manifest
from wordworth.serving.server_client import ServerClient

_ALONE = 0.999
"""Least cosine between the vector of a text that is sent alone and in a batch, for one program on one machine."""
_PROMPTS = ("query: ", "passage: ", "search_query: ", "search_document: ")
_WINDOWS = (32, 64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class Expected:
    """The vectors that a server should compute.

    Attributes:
        name: the model or the index in words, for messages.
        canaries: float64 [canaries, width], the right vectors of the canaries (fixed texts by which models are
            recognised); zeros for a canary of which a static table knows no word.
        model: name of the model, which is sent to a server of several models.
        encoder: the model with which mistakes are reproduced; None if it is not on this machine or not an encoder.
    """

    name: str
    canaries: Floats
    model: str
    encoder: TextEncoder | None

    @classmethod
    def of_model(cls, model: str) -> Expected:
        """Return the vectors that a server of this model should compute.

        Raises:
            BadInput: the model is not on this machine.
        """
        loaded = load(model)
        encoder = loaded if isinstance(loaded, TextEncoder) else None
        return cls(loaded.name, _vectors(loaded, CANARIES), loaded.name, encoder)

    @classmethod
    def of_index(cls, folder: Path) -> Expected:
        """Return the vectors that a server must compute so that its vectors can be compared with an index's.

        Args:
            folder: the folder of the index.

        Raises:
            BadInput: there is no index, or it is damaged.
        """
        manifest = Manifest.read(folder)
        try:
            encoder = load(manifest.model)
        except BadInput:  # it is not needed to tell whether the vectors differ
            encoder = None
        known = with_prompt_of("document", manifest.prompts, encoder) if isinstance(encoder, TextEncoder) else None
        return cls(f"the index {folder}", floats(manifest.canary_vectors(folder)), manifest.model, known)

    @property
    def has_words(self) -> NDArray[np.bool_]:
        """Whether the right vector of each canary has a component other than 0, bool [canaries]."""
        known: NDArray[np.bool_] = np.any(self.canaries != 0, axis=1)
        return known


def check_server(address: str, model: str | None, key: str = "", index: Path | None = None) -> list[Check]:
    """Compare the vectors of a server with the vectors of a local model, or with an index.

    Args:
        address: address of a server with OpenAI's route `/v1/embeddings`.
        model: name or folder of the local model; None for the name that the server reports.
        key: API key, sent as a bearer token; empty for none.
        index: folder of an index, with whose stored vectors to compare instead of the vectors of `model`.

    Returns:
        The results of four checks: `answers` (the form of the answers), `width`, `batch` (a text has the same vector
        alone and in a batch) and `vectors` (the vectors are the expected ones). If the width is wrong, the last two
        are left out.

    Raises:
        BadInput: the server does not answer, or the model or the index is not on this machine.
    """
    client = ServerClient.of(address, key)
    listed = client.models()
    served = next(iter(listed), None)
    if index is not None:
        expected = Expected.of_index(index)
    elif model is None and served is None:
        raise BadInput("the server names no model", where=address, mend="say what it should have with --against")
    else:
        expected = Expected.of_model(model or str(served))
    served = expected.model if expected.model in listed else served
    together = client.embed(CANARIES, served)
    alone = np.concatenate([client.embed([text], served) for text in CANARIES])
    compared = np.nan_to_num(together), np.nan_to_num(alone)
    return [*_answers(together, expected), *_comparisons(*compared, expected)]


def _answers(vectors: Floats, expected: Expected) -> Iterator[Check]:
    """Check that all numbers are finite, that no vector is all zeros, and that the width is the expected one."""
    broken = int((~np.isfinite(vectors).all(axis=1)).sum())
    zero = count_zeros(np.nan_to_num(vectors)[expected.has_words])
    detail = f"{len(vectors)} vectors of {vectors.shape[1]} numbers"
    if broken:
        detail += f"; {broken} of them hold what is not a number"
    if zero:
        detail += f"; {zero} of them are all zeros, as 8-bit vectors are whose range was taken from one text"
    yield Check("answers", passed=not broken and not zero, detail=detail)
    width = expected.canaries.shape[1]
    same = vectors.shape[1] == width
    detail = f"{vectors.shape[1]} numbers" + ("" if same else f", and those of {expected.name} have {width}")
    yield Check("width", passed=same, detail=detail)


def _comparisons(together: Floats, alone: Floats, expected: Expected) -> Iterator[Check]:
    """Check that texts have the same vectors alone and in a batch, and the expected ones; no check if widths differ."""
    if together.shape != alone.shape or together.shape != expected.canaries.shape:
        return
    known = expected.has_words
    in_batch = cosines(together[known], alone[known])
    order = np.argmax(unit_or_zero(together[known]) @ unit_or_zero(alone[known]).T, axis=1)
    shuffled = in_batch.min() < _ALONE and len(set(order.tolist())) == len(order)
    least = f"the least cosine of a vector alone and in a batch of {len(CANARIES)} is {in_batch.min():.4f}"
    detail = least + ("; the vectors of a batch come in another order than its texts" if shuffled else "")
    yield Check("batch", passed=bool(in_batch.min() >= _ALONE), detail=detail)
    with_own = cosines(alone[known], expected.canaries[known])
    detail = f"cosines with {expected.name}: {with_own.min():.4f} to {with_own.max():.4f}"
    same = bool(with_own.min() >= SAME)
    yield Check("vectors", passed=same, detail=detail if same else f"{detail}; {_cause(alone, expected.encoder)}")


@dataclass(frozen=True, slots=True)
class _Mistake:
    """A mistake that servers make, and the canaries' vectors with this mistake, float64 [canaries, width]."""

    name: str
    vectors: Floats


def _cause(vectors: Floats, encoder: TextEncoder | None) -> str:
    """Return a sentence that names the mistake by which the encoder computes the server's vectors, if one is known."""
    unknown = "it is another model, or does something that is not known here"
    if encoder is None:
        return unknown
    fits = {
        mistake.name: cosines(vectors, mistake.vectors)
        for mistake in _mistakes(encoder)
        if mistake.vectors.shape == vectors.shape
    }
    name = max(fits, key=lambda name: (bool(fits[name].min() >= SAME), float(fits[name].mean())))
    if fits[name].min() >= SAME:
        return f"the server computes {name}"
    return unknown


def _mistakes(encoder: TextEncoder) -> Iterator[_Mistake]:
    """Yield each known mistake, with the canaries' vectors that the encoder computes with the mistake."""
    texts, head = list(CANARIES), encoder.head
    for name, other in _other_settings(encoder):
        yield _Mistake(name, _vectors(other, texts))
    for pooling in get_args(SentencePooling):
        if (pooling,) != head.modes:
            other = replace(encoder, head=replace(head, modes=(pooling,)))
            yield _Mistake(f"with another pooling, {pooling}", _vectors(other, texts))
    for window in (window for window in _WINDOWS if window <= encoder.max_length):
        cut = replace(encoder, max_length=window)
        yield _Mistake(f"of texts cut after {window} tokens", floats(cut.encode(texts, long_texts="cut")))
    yield _Mistake("of texts in lower case", _vectors(encoder, [text.lower() for text in texts]))


def _other_settings(encoder: TextEncoder) -> Iterator[tuple[str, TextEncoder]]:
    """Yield (mistake in words, encoder with the mistake) for other prompts, and without layers after the pooling."""
    if encoder.head.steps:
        bare = replace(encoder.head, steps=())
        yield "without the layers after the pooling", replace(encoder, head=bare)
    if encoder.prompt:
        yield "without the prompt before a text", replace(encoder, prompt="")
    for prompt in _PROMPTS:
        if prompt != encoder.prompt:
            yield f"with {prompt!r} before each text", replace(encoder, prompt=prompt)


def _vectors(model: Loaded, texts: Sequence[str]) -> Floats:
    with warnings.catch_warnings(action="ignore", category=ZeroVectorWarning):
        return floats(model.encode(list(texts), long_texts="window"))
