"""Memory that stays with the process between steps, or that surely leaves it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""As `malloc.h` of the GNU C library numbers them."""
_USUAL = {_TRIM_THRESHOLD: 128 << 10, _TOP_PAD: 128 << 10, _MMAP_THRESHOLD: 128 << 10}
_LEFT = {_MMAP_THRESHOLD: 4 << 20}
_KEPT = {_TRIM_THRESHOLD: 2**31 - 1, _TOP_PAD: 64 << 20, _MMAP_THRESHOLD: 2**31 - 1}


@contextmanager
def retain_freed_memory() -> Iterator[None]:
    """Inside, large blocks that are freed are kept for the next ones and not given back to the system.

    A step makes and frees the same large values as the one before. The GNU C library gives each back at once, and the
    system clears every page of it again for the next: on a processor that can be a third of a training step. Elsewhere
    nothing changes. Once left, what is free goes back.
    """
    with _told(_KEPT):
        yield


@contextmanager
def returned_memory() -> Iterator[None]:
    """Inside, a block of four megabytes or more goes back to the system once it is freed, and leaves no hole.

    By itself the GNU C library learns from the first large block that is freed to keep those that follow, in a place of
    its own for every thread; where the peak of a process counts, that is memory nobody uses. Elsewhere nothing changes.
    """
    with _told(_LEFT):
        yield


@contextmanager
def _told(how: Mapping[int, int]) -> Iterator[None]:
    """The C library so set, until left: then as usual, and what is free goes back."""
    library = _gnu()
    if library is None:
        yield
        return
    for name, value in how.items():
        library.mallopt(name, value)
    try:
        yield
    finally:
        for name, value in _USUAL.items():
            library.mallopt(name, value)
        library.malloc_trim(0)


def _gnu() -> ctypes.CDLL | None:
    """The C library of the process, where it is GNU's."""
    try:
        library = ctypes.CDLL(None)
        library.gnu_get_libc_version  # noqa: B018 - asks whether it is there
    except (OSError, AttributeError, TypeError):  # another system, another library
        return None
    return library
