"""The vectors of a teacher for the training texts of a sentence encoder, computed once in blocks cached on disk."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import torch
from torch import Tensor

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.models.checkpoint import opened
from wordworth.models.load import load
from wordworth.models.sentence_transformers_format import read_sentence_settings
from wordworth.progress import Progress
from wordworth.sources import FINE_TUNED, resolve

_BLOCK = 512
"""Texts of a block, which a stopped call need not compute again."""


def require_width(teacher: str, width: int) -> None:
    """Check in a teacher's config, before its weights are read, that its vectors are as wide as the student's.

    Args:
        teacher: a catalogue name, a folder or a hub name.
        width: width of the student's vectors.

    Raises:
        BadInput: nothing has that name, or the teacher's vectors have another width.
    """
    theirs = _width(teacher)
    if theirs != width:
        what = f"the vectors of the teacher {teacher} have {theirs} numbers, those of the student {width}"
        raise BadInput(what, where="--teacher", mend="name a teacher of the same width")


def _width(teacher: str) -> int:
    """Return the width of a model's vectors, by its config; a static table and a model without a config are loaded."""
    resolved = resolve(teacher)
    if resolved.kind != "encoder" or (resolved.folder / FINE_TUNED).exists():
        return load(teacher).width
    settings = read_sentence_settings(resolved.folder)
    return settings.head.width(opened(settings.home)[2].hidden_size)


def teacher_vectors(teacher: str, texts: Sequence[str], progress: Progress) -> Tensor:
    """Return a teacher's vectors of texts, float32 [texts, width], read from the disk cache or else computed.

    Vectors are cached in blocks of consecutive texts.

    Args:
        teacher: a catalogue name, a folder or a hub name.
        texts: the texts; longer ones are cut to the tokens that the teacher reads at once.
        progress: receives the progress.

    Raises:
        BadInput: nothing has that name, or its files are damaged.
    """
    opened_teacher = cache(lambda: load(teacher))  # not loaded if all blocks are cached
    hashes, blocks = [*resolve(teacher, hash_whole=True).sha256.values()], list[np.ndarray]()
    with progress.step("the teacher's vectors", len(texts)) as step:
        for start in range(0, len(texts), _BLOCK):
            block = list(texts[start : start + _BLOCK])
            key = content_key("teacher's vectors", *hashes, *block)
            blocks.append(ArrayCache().array(key, lambda: opened_teacher().encode(block, long_texts="cut")))  # noqa: B023 - called at once
            step.advance(len(block))
    return torch.from_numpy(np.concatenate(blocks))
