"""Runs in several processes."""

import os
import signal

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import POINT, order_of

from wordworth.errors import WordworthError
from wordworth.progress import SILENT
from wordworth.training.finetuning.run_result import RunSpec
from wordworth.training.finetuning.worker_pool import worker_pool


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("finetune") / "tiny"))


@pytest.mark.slow
def test_ctrl_c_is_left_to_the_first_process(encoder, tmp_path):
    """A terminal sends it to all of them; the others go on until they are ended."""
    with worker_pool(order_of(encoder, tmp_path), 2, print) as workers, SILENT.step("runs") as step:
        for member in workers.workers:
            os.kill(member.pid, signal.SIGINT)
        (result,) = workers.results([RunSpec(POINT, 0)], step)
    assert result.state in {"finished", "collapsed"}


def test_a_process_that_died_is_told_as_that_with_what_can_be_done(encoder, tmp_path):
    with worker_pool(order_of(encoder, tmp_path), 2, print) as workers, SILENT.step("runs") as step:
        for member in workers.workers:
            member.kill()
            member.join()
        with pytest.raises(WordworthError, match=r"a process died.*the same command goes on.*`processes`"):
            workers.results([RunSpec(POINT, 0)], step)
