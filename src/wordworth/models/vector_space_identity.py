"""Identify the space of a model's vectors: only vectors of the same space may be compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.canary_texts import CANARIES
from wordworth.models.load import Loaded
from wordworth.models.static_embeddings import StaticTable
from wordworth.progress import UNREPORTED

SAME = 0.99
"""Minimal cosine of two vectors of one text in the same space; int8 and bfloat16 vectors have a larger cosine."""


@dataclass(frozen=True, slots=True)
class VectorSpace:
    """The identity of a model's vector space: only vectors of the same space may be compared.

    Attributes:
        fingerprint: a key of weights, tokenizer, pooling, prompt and dtype.
        canaries: float32 [canaries, width], the model's vectors of the fixed texts `CANARIES`; another model or server
            with the same vectors of these texts has the same space.
    """

    fingerprint: str
    canaries: NDArray[np.float32]

    @classmethod
    def of(cls, model: Loaded) -> VectorSpace:
        """Return the identity of the vector space of an encoder or a static table."""
        return cls(fingerprint_of(model), model.encode(list(CANARIES), long_texts="cut", progress=UNREPORTED))


def fingerprint_of(model: Loaded) -> str:
    """Return a key of everything that the vectors of a model depend on.

    The vectors of an encoder depend on weights, tokenizer, pooling, prompt and dtype; the vectors of a static table on
    its values, and on whether a text's vector is scaled to length 1.
    """
    if isinstance(model, StaticTable):
        rows = np.asarray(model.vectors[np.arange(len(model))])
        return content_key(np.ascontiguousarray(rows), rows.shape, model.normalised)
    from wordworth.models.encoder_fingerprint import fingerprint

    return content_key(fingerprint(model), model.head.fingerprint)
