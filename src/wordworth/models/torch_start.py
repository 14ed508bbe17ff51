"""Torch's import made shorter: its machine code is linked beside other work, and no garbage is looked for.

`import torch` takes most of the time to a first vector. A good sixth of it the system spends on linking some hundreds
of megabytes of machine code, for which Python's lock is free: a thread does that while this one imports what needs no
torch. Another tenth goes into looking for garbage among a million objects that are all going to stay.
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

_BESIDE = ("numpy", "wordworth.text.tokenizer", "torchgen.model")
"""What torch or an encoder imports anyway and what needs no torch itself."""


def start_torch() -> None:
    """Import torch; at once where it is there already.

    Raises:
        ModuleNotFoundError: torch is not installed.
    """
    if "torch" in sys.modules:
        return
    with without_collection():
        linking = Thread(target=_link, name="linking torch")
        linking.start()
        for name in _BESIDE:
            with suppress(ModuleNotFoundError):  # another release of torch may have no use for it
                import_module(name)
        linking.join()
        import_module("torch")


@contextmanager
def without_collection() -> Iterator[None]:
    """No look for garbage inside; afterwards as it was."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _link() -> None:
    """Link torch's machine code where it lies as in Linux wheels; where it does not, torch's import does it all."""
    found = find_spec("torch")
    if found is None or found.origin is None:
        return
    library = Path(found.origin).with_name("lib") / "libtorch_cpu.so"
    if library.is_file():
        with suppress(OSError):  # whatever it misses, torch's own import finds or names
            ctypes.CDLL(str(library))
