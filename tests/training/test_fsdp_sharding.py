"""A model sharded over processes; that its runs are those of one process is tested with pretraining's processes."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["pretraining.run", "finetuning.worker_pool", "sentences.run"])
def test_a_run_that_is_not_sharded_does_not_wait_for_the_import_of_sharding(module):
    """Which takes a second, in every process of a run."""
    code = f"import sys, wordworth.training.{module}; print('torch.distributed.tensor' in sys.modules)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "False"
