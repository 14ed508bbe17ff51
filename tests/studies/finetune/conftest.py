"""A small encoder, and a study that has ended."""

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import LONGER

from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("finetune") / "tiny"))


@pytest.fixture(scope="module")
def run(encoder, tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    return out, finetune(sample_task("single", 180), model=encoder, out=out, **LONGER)
