"""`VectorMemory`: a memory of an encoder's vectors by text, so that cross-validation computes each text only once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from wordworth.array_cache import ArrayCache
from wordworth.files import content_key

Floats = NDArray[np.float32]
_MOST_BYTES = 256 << 20


class VectorMemory:
    """A memory of vectors by text, in front of the disk cache.

    A text's vector does not depend on the other texts of a batch, so that a vector of any earlier call can be reused.

    Args:
        most_bytes: most bytes that the stored vectors may take; when new vectors would exceed it, all earlier vectors
            are dropped.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes, self._bytes, self._lock = most_bytes, 0, Lock()
        self._known: dict[Hashable, dict[str, Floats]] = {}

    def vectors(
        self,
        key: tuple[str, ...],
        texts: tuple[str, ...],
        compute: Callable[[tuple[str, ...]], Floats],
        cache: ArrayCache,
    ) -> Floats:
        """Return the vectors of texts, float32 [n, width].

        Args:
            key: everything but the text that decides a vector, such as the model and the name of its set of features.
            texts: the texts, with or without repetitions.
            compute: function from distinct texts to their vectors, float32 [texts, width].
            cache: the disk cache of computed vectors.
        """
        if not texts:
            return compute(texts)
        with self._lock:
            known = dict(self._known.get(key, {}))
        new = tuple(text for text in dict.fromkeys(texts) if text not in known)
        if new:
            computed = cache.array(content_key(*key, *new), lambda: compute(new))
            known |= dict(zip(new, computed, strict=True))
            self._remember(key, dict(zip(new, computed, strict=True)), computed.nbytes)
        return np.stack([known[text] for text in texts])

    def _remember(self, key: tuple[str, ...], vectors: dict[str, Floats], size: int) -> None:
        with self._lock:
            if self._bytes + size > self._most_bytes:
                self._known.clear()
                self._bytes = 0
            self._known.setdefault(key, {}).update(vectors)
            self._bytes += size


MEMORY = VectorMemory()
"""The one memory of this process, which all estimators share."""
