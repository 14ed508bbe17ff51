"""The vectors of texts that an encoder has read in this process: each text is read once, in whatever fold it is."""

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
    """A memory of vectors by text, over the disk cache; it forgets all when it holds more than `most_bytes`.

    A text's vector does not depend on the texts that are read with it, so that it can be taken from any earlier call.
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
            key: all that decides a text's vector.
            texts: in any order; a text may recur.
            compute: returns the vectors of texts.
            cache: keeps them on disk.
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
"""The memory of this process."""
