"""One small model that fuses entities, for all tests here."""

import pytest
from tests.models.entity_fusion.fused import write_fused


@pytest.fixture(scope="session")
def fused_folder(tmp_path_factory):
    return write_fused(tmp_path_factory.mktemp("entities"))
