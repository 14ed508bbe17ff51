"""Small arrays are in memory, large ones in a temporary file; both keep what is written."""

import numpy as np
import pytest

from wordworth.training.probes import scratch_array


@pytest.mark.parametrize("most", [2**30, 0])
def test_values_are_kept_in_memory_or_in_a_file(most, monkeypatch):
    monkeypatch.setattr(scratch_array, "MOST_IN_MEMORY", most)
    array = scratch_array.scratch_array((3, 4, 2))
    array[:] = np.arange(24).reshape(3, 4, 2)
    assert isinstance(array, np.memmap) == (most == 0)
    assert array[2, 3].tolist() == [22, 23]
