"""Import torch faster: link its library in a thread meanwhile, and pause garbage collection.

`import torch` takes most of the time to a first vector. Over a sixth of that is the system linking some hundreds of
megabytes of machine code without Python's lock: a thread does so while this one imports modules that need no torch.
Another tenth goes into garbage collection over a million objects that will all stay.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

_PRELOADED = ("numpy", "wordworth.text.tokenizer", "torchgen.model")
"""Modules that torch or an encoder imports anyway, and that need no torch themselves."""


def start_torch() -> None:
    """Import torch, unless it is imported already.

    Raises:
        ModuleNotFoundError: torch is not installed.
    """
    if "torch" in sys.modules:
        return
    with without_collection():
        linking = Thread(target=_link, name="linking torch")
        linking.start()
        for name in _PRELOADED:
            with suppress(ModuleNotFoundError):  # another release of torch may not have it
                import_module(name)
        linking.join()
        import_module("torch")


@contextmanager
def without_collection() -> Iterator[None]:
    """Pause garbage collection inside the `with` block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _link() -> None:
    """Link torch's library if it is where Linux wheels put it; otherwise torch's import does so itself."""
    spec = find_spec("torch")
    if spec is None or spec.origin is None:
        return
    library = Path(spec.origin).with_name("lib") / "libtorch_cpu.so"
    if library.is_file():
        with suppress(OSError):  # torch's own import then reports what is missing
            ctypes.CDLL(str(library))
