"""Load a teacher of sentence vectors, and compute its vectors for the training texts, cached on disk."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.models.load import Loaded, load
from wordworth.progress import Progress
from wordworth.sources import resolve


def open_teacher(teacher: str, width: int) -> Loaded:
    """Load a teacher and check that its vectors suit the student's vectors.

    Args:
        teacher: a catalogue name, a folder or a hub name.
        width: width of the student's vectors.

    Raises:
        BadInput: nothing has that name, or the teacher's vectors have another width.
    """
    model = load(teacher)
    if model.width != width:
        what = f"the vectors of the teacher {teacher} have {model.width} numbers, those of the student {width}"
        raise BadInput(what, where="--teacher", mend="name a teacher of the same width")
    return model


def teacher_vectors(teacher: str, texts: Sequence[str], width: int, progress: Progress) -> Tensor:
    """Return a teacher's vectors of texts, float32 [texts, width].

    Args:
        teacher: a catalogue name, a folder or a hub name.
        texts: the texts; longer ones are cut to the tokens that the teacher reads at once.
        width: width of the student's vectors.
        progress: receives the progress.

    Raises:
        BadInput: nothing has that name, or the teacher's vectors have another width.
    """
    model = open_teacher(teacher, width)
    key = content_key("teacher's vectors", *resolve(teacher, hash_whole=True).sha256.values(), *texts)
    vectors = ArrayCache().array(key, lambda: model.encode(texts, long_texts="cut", progress=progress))
    return torch.from_numpy(vectors)
