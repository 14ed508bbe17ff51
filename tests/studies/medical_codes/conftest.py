"""One small study of simulated patients, shared by the tests of the study, its tables, its page and its command."""

import pytest

import wordworth as ww
from latent_diseases import Patients, write_patients

FAST = {"width": 8, "heads": 2, "layers": 1, "rounds": 1, "epochs": 1, "runs": 2, "draws": 100}
FEW = Patients(single=6, train=16, valid=4, test=4)


@pytest.fixture(scope="session")
def codes_study(tmp_path_factory):
    """The files of simulated patients by the study's argument, and the record of a study of them."""
    folder = tmp_path_factory.mktemp("codes")
    files = write_patients(folder, FEW, 1.0, 0)
    return files, ww.study_codes(**files, **FAST, synthetic=True, out=folder / "run")
