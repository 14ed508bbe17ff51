"""What has ended is read from the cache, run by run; systems differ, and runs of one number share their seed."""

import numpy as np
import pytest
from tests.studies.medical_codes.conftest import FAST, FEW

from latent_diseases import write_patients
from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT
from wordworth.studies.medical_codes import systems
from wordworth.studies.medical_codes.baselines import BASELINES
from wordworth.studies.medical_codes.patient_split import predicted_rows, split_patients
from wordworth.studies.medical_codes.scores import Answers
from wordworth.studies.medical_codes.settings import CodesSettings
from wordworth.studies.medical_codes.systems import TRAINED_SYSTEMS, Subject, all_answers
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.medical_code_ontology import read_ontology
from wordworth.text.patient_visits import read_visits
from wordworth.training.patient_visits.alternating_training import VisitTraining
from wordworth.training.patient_visits.visit_model import new_model


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    files = write_patients(tmp_path_factory.mktemp("codes"), FEW, 1.0, 0)
    visits = read_visits(files["visits"], "condition", "medication")
    settings = CodesSettings(target_ontology=files["target_ontology"], **FAST)
    graph = read_ontology(files["target_ontology"]).graph(visits.targets.codes)
    return Subject(settings, visits, split_patients(visits, 0), (None, graph))


def parts_in(folder):
    return FinishedParts("key", SILENT, ArrayCache(folder))


@pytest.fixture
def trained(monkeypatch):
    """Trainings that have been made; each leaves its random weights as they are, and a fourth one is interrupted."""
    made = list[int]()

    def train(settings, visits, _, graphs, *__, pretrains, seed):
        made.append(seed)
        if len(made) == 4:
            raise KeyboardInterrupt
        return VisitTraining(new_model(settings, visits, graphs, seed + pretrains), (0.5,), 1)

    monkeypatch.setattr(systems, "train", train)
    monkeypatch.setattr(systems, "baselines", nothing)
    return made


def nothing(visits, split, _):
    """Baselines that say nothing."""
    valid, test = (np.zeros((1, len(predicted_rows(visits, part)), 1)) for part in (split.valid, split.test))
    for name in BASELINES:
        yield Answers(name, valid, test, ("",))


def test_a_stopped_study_makes_no_run_again(subject, tmp_path, trained):
    with pytest.raises(KeyboardInterrupt):
        all_answers(subject, parts_in(tmp_path), SILENT)
    answers = all_answers(subject, parts_in(tmp_path), SILENT)
    assert len(trained) == 4 + len(TRAINED_SYSTEMS) * FAST["runs"] - 3
    assert [each.system for each in answers] == [*(system.name for system in TRAINED_SYSTEMS), *BASELINES]
    again = all_answers(subject, parts_in(tmp_path), SILENT)
    assert len(trained) == 4 + len(TRAINED_SYSTEMS) * FAST["runs"] - 3
    for one, other in zip(answers, again, strict=True):
        assert one.chosen == other.chosen
        assert np.array_equal(one.test, other.test)


def test_runs_of_one_number_share_their_seed_and_all_answers_differ(subject, tmp_path, trained):
    trained += [0] * 4
    answers = all_answers(subject, parts_in(tmp_path), SILENT)[: len(TRAINED_SYSTEMS)]
    assert len(set(trained[4:])) == FAST["runs"]
    runs = [run for each in answers for run in each.test]
    assert all(not np.array_equal(a, b) for number, a in enumerate(runs) for b in runs[:number])
