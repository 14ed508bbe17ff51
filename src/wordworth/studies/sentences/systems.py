"""The systems whose cosines are scored: the model, its poolings and shorter vectors, its controls, and other models."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput, ZeroVectorWarning
from wordworth.measures.words.word_pairs import cosines
from wordworth.models.load import Loaded, load
from wordworth.models.pooling import Normalize, SentenceHead, SentencePooling
from wordworth.models.random_weights_copy import random_twin
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.sources import require, short_name
from wordworth.studies.sentences.pair_sets import PairSet, different_texts
from wordworth.studies.sentences.settings import SentencesSettings

POOLINGS: tuple[SentencePooling, ...] = ("mean", "cls", "max")
OWN, INPUT, RANDOM = "own", "input layer, mean", "random weights"
Vectors = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True, slots=True)
class System:
    """A model, or a variant or control of it, that turns texts into vectors, with the cosines of these vectors.

    Attributes:
        name: `own` for the model with its own pooling; else the name of the pooling, of the control or of the other
            model.
        role: `model`, `pooling` for the model with another pooling, `cut` for its shortened vectors, `control`, or
            `beside` for another model.
        cosines: set name -> float64 [pairs], the cosine of each pair.
        zeros: number of distinct texts whose vector is all zeros.
    """

    name: str
    role: str
    cosines: dict[str, np.ndarray[Any, np.dtype[np.float64]]]
    zeros: int


def systems(settings: SentencesSettings, model: Loaded, sets: Sequence[PairSet], progress: Progress) -> list[System]:
    """Compute the cosines of every system on every set; the model with its own pooling comes first.

    Args:
        settings: settings of the study.
        model: the model of the settings, loaded.
        sets: the pairs.
        progress: receives progress and messages.

    Raises:
        BadInput: the model gives no vectors, or its vectors are shorter than one of the `dimensions`.
    """
    texts = different_texts(sets)
    number = {text: row for row, text in enumerate(texts)}
    return [
        System(name, role, _cosines(vectors, sets, number), int((~vectors.any(1)).sum()))
        for name, role, vectors in _vectors(settings, model, texts, progress)
    ]


def _cosines(
    vectors: Vectors, sets: Sequence[PairSet], number: dict[str, int]
) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """Return name of each set -> the cosine of each pair, float64 [pairs]; 0 where a vector is all zeros.

    Args:
        vectors: float32 [texts, width], the vectors of the distinct texts.
        sets: the pairs.
        number: text -> its row in `vectors`.
    """
    return {
        each.name: np.nan_to_num(
            cosines(*(vectors[[number[text] for text in side]] for side in (each.first, each.second)))
        )
        for each in sets
    }


def _vectors(
    settings: SentencesSettings, model: Loaded, texts: Sequence[str], progress: Progress
) -> Iterator[tuple[str, str, Vectors]]:
    """Yield name, role and vectors, float32 [texts, width], of each system."""
    others = [name for name in settings.other_models if _is_present(name, progress)]  # before minutes of work
    widths = _widths(settings, model.width, progress)
    own = encoded(model, texts, progress)
    yield OWN, "model", own
    for width in widths:
        yield f"first {width} numbers", "cut", own[:, :width]
    if isinstance(model, TextEncoder):
        yield from _of_encoder(model, texts, settings.seed, progress)
    for name in others:
        yield short_name(name), "beside", encoded(load(name, hash_whole=True), texts, progress)


def _widths(settings: SentencesSettings, whole: int, progress: Progress) -> list[int]:
    """Return the widths to which vectors are cut; the whole width is left out, with a note to the user.

    Raises:
        BadInput: a width is larger than the whole one.
    """
    for width in settings.dimensions:
        if width > whole:
            what = f"the vectors of {settings.model} have {whole} numbers, not {width}"
            raise BadInput(what, where="--dimensions", mend="give smaller numbers")
    if whole in settings.dimensions:
        progress.note(f"{settings.model} has {whole} numbers: the first {whole} are the whole vector, and are left out")
    return [width for width in settings.dimensions if width < whole]


def plain_pooling(model: Loaded) -> str | None:
    """Return the name of a model's pooling if its vectors are the pooled states, at most scaled to length 1; else None.

    The result is None for a static table, and for an encoder with several poolings or a dense layer.
    """
    head = getattr(model, "head", None)  # a static table has none
    if head is None or len(head.modes) > 1 or not all(isinstance(step, Normalize) for step in head.steps):
        return None
    return str(head.modes[0])


def _of_encoder(
    encoder: TextEncoder, texts: Sequence[str], seed: int, progress: Progress
) -> Iterator[tuple[str, str, Vectors]]:
    others = tuple(mode for mode in POOLINGS if mode != plain_pooling(encoder))  # its own is scored already
    pooled = replace(encoder, head=SentenceHead(others)).encode(texts, long_texts="window", progress=progress)
    for mode, vectors in zip(others, np.split(pooled, len(others), axis=1), strict=True):
        yield mode, "pooling", vectors
    yield INPUT, "control", encoder.pooled_layers(texts, layers=0, progress=progress)[:, 0]
    twin = encoder.with_model(random_twin(encoder.model, seeds.child_seed(seed, "sentences", "random")))
    yield RANDOM, "control", encoded(twin, texts, progress)


def encoded(model: Loaded, texts: Sequence[str], progress: Progress) -> Vectors:
    """Return the vectors of texts, float32 [texts, width], without a warning about vectors that are all zeros.

    Args:
        model: the encoder or static table.
        texts: the texts.
        progress: receives the progress.
    """
    with catch_warnings():
        simplefilter("ignore", ZeroVectorWarning)
        vectors: Vectors = model.encode(texts, long_texts="window", progress=progress)
    return vectors


def _is_present(name: str, progress: Progress) -> bool:
    """Return True for a model that is here; False, with a note to the user, if it is the default one and absent.

    Raises:
        BadInput: another model is absent.
    """
    try:
        require(name)
    except BadInput:
        if name != "glove":
            raise
        progress.note("glove is not installed, and is left out")
        return False
    return True
