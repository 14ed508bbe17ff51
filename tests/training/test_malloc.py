from pathlib import Path

import numpy as np
import pytest

from wordworth.training import malloc

STATUS = Path("/proc/self/status")


def owned():
    """Bytes of address space: unlike resident ones, no other program's need for memory moves them."""
    return next(int(line.split()[1]) << 10 for line in STATUS.read_text().splitlines() if line.startswith("VmSize"))


@pytest.mark.skipif(not STATUS.exists() or malloc.glibc() is None, reason="needs the GNU C library on Linux")
def test_large_blocks_that_are_freed_between_others_go_back_to_the_system():
    with malloc.return_freed_memory():
        np.empty(20 << 20, np.uint8)  # from whose end the library would learn to keep what follows
        held = [np.empty(20 << 20, np.uint8) for _ in range(40)]  # larger than the holes that others have left
        before = owned()
        del held[::2]
        assert before - owned() > 300 << 20  # of 400; a block or two may lie in a hole that others left
