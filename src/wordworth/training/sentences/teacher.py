"""The vectors of a teacher for the texts of a training, computed once and kept in the cache."""

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
    """Load a teacher for a student whose vectors have a number of numbers.

    Raises:
        BadInput: nothing has that name, or its vectors are of another width.
    """
    model = load(teacher)
    if model.width != width:
        what = f"the vectors of the teacher {teacher} have {model.width} numbers, those of the student {width}"
        raise BadInput(what, where="--teacher", mend="name a teacher of the same width")
    return model


def teacher_vectors(teacher: str, texts: Sequence[str], width: int, progress: Progress) -> Tensor:
    """Return the vectors of texts by a teacher, float32 [texts, width].

    Args:
        teacher: a name, a folder or a hub name.
        texts: the texts; longer ones are cut to what the teacher reads at once.
        width: of the student's vectors.
        progress: receives the progress.

    Raises:
        BadInput: nothing has that name, or its vectors are of another width.
    """
    model = open_teacher(teacher, width)
    key = content_key("teacher's vectors", *resolve(teacher, hash_whole=True).sha256.values(), *texts)
    vectors = ArrayCache().array(key, lambda: model.encode(texts, long_texts="cut", progress=progress))
    return torch.from_numpy(vectors)
