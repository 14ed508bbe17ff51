"""One small study, shared by the tests of the study, its tables and its page."""

import pytest
from tests.studies.crossmodal.made_up import FAST, write_inputs

import wordworth as ww


@pytest.fixture(scope="session")
def crossmodal_study(tmp_path_factory):
    """The features and captions, and the record of a study of them."""
    folder = tmp_path_factory.mktemp("crossmodal")
    inputs = write_inputs(folder)
    return inputs, ww.study_crossmodal(*inputs, **FAST, out=folder / "run")
