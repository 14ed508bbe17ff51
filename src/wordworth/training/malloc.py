"""Settings of the C library's malloc: keep freed memory for the next step, or return it to the system at once."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""Numbered as in `malloc.h` of the GNU C library."""
_DEFAULTS = {_TRIM_THRESHOLD: 128 << 10, _TOP_PAD: 128 << 10, _MMAP_THRESHOLD: 128 << 10}
_RETURN = {_MMAP_THRESHOLD: 4 << 20}
_RETAIN = {_TRIM_THRESHOLD: 2**31 - 1, _TOP_PAD: 64 << 20, _MMAP_THRESHOLD: 2**31 - 1}


@contextmanager
def retain_freed_memory() -> Iterator[None]:
    """Keep freed memory in the process inside the `with` block, for the next allocations.

    Every training step allocates and frees the same large tensors. By default the GNU C library returns their memory to
    the system, which clears the pages again for the next allocation; on a CPU this can take a third of a step. Other C
    libraries are not affected. On exit, free memory is returned.
    """
    with _mallopt(_RETAIN):
        yield


@contextmanager
def return_freed_memory() -> Iterator[None]:
    """Return every freed block of four megabytes or more to the system, inside the `with` block.

    By default, once a large block has been freed, the GNU C library keeps later blocks of that size in the process, in
    an arena for each thread, which raises peak memory. Other C libraries are not affected.
    """
    with _mallopt(_RETURN):
        yield


@contextmanager
def _mallopt(settings: Mapping[int, int]) -> Iterator[None]:
    """Apply these malloc settings; on exit restore the defaults and return free memory."""
    library = glibc()
    if library is None:
        yield
        return
    for name, value in settings.items():
        library.mallopt(name, value)
    try:
        yield
    finally:
        for name, value in _DEFAULTS.items():
            library.mallopt(name, value)
        library.malloc_trim(0)


def glibc() -> ctypes.CDLL | None:
    """Return the C library of the process if it is GNU's, else None."""
    try:
        library = ctypes.CDLL(None)
        library.gnu_get_libc_version  # noqa: B018 - asks whether it is there
    except (OSError, AttributeError, TypeError):  # another system, another library
        return None
    return library
