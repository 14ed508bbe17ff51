import numpy as np
import pytest
from tests.studies.counted_steps import CountedSteps
from tests.studies.languages.worlds import world

from wordworth.array_cache import ArrayCache
from wordworth.progress import SILENT
from wordworth.studies.languages import correct_by_training_language as module
from wordworth.studies.languages.correct_by_training_language import CHARACTERS, MODEL, RANDOM, SHUFFLED, answers_of
from wordworth.studies.languages.text_features import CharacterFeatures, EncoderFeatures
from wordworth.studies.study_result_cache import FinishedParts


def made(tmp_path, progress=SILENT, **choices):
    data, features = world(**choices)
    random = EncoderFeatures(np.random.default_rng(0).normal(size=features.vectors.shape).astype(np.float32))
    systems = {MODEL: features, RANDOM: random, CHARACTERS: CharacterFeatures(data.texts)}
    finished = FinishedParts("key", progress, ArrayCache(tmp_path / "cache"))
    return answers_of(systems, data, 500, 0, finished)


def test_accuracies_and_their_draws_are_of_the_tested_language(tmp_path):
    answers = made(tmp_path)
    own, draws = answers.accuracy(MODEL, 0, 1)
    right = answers.right[MODEL, 0][answers.data.language[answers.tests] == 1]
    assert own == right.mean() > 0.9
    assert draws.mean() == pytest.approx(own, abs=0.005)
    assert draws.std() == pytest.approx(np.sqrt(own * (1 - own) / len(right)), rel=0.25)
    for system in (RANDOM, SHUFFLED):
        assert answers.accuracy(system, 1, 1)[0] == pytest.approx(0.5, abs=0.12)
    assert answers.constant_score(2)[0] == pytest.approx(0.5, abs=0.05)


def test_draws_are_shared_by_languages_so_that_equal_answers_have_no_difference(tmp_path):
    answers = made(tmp_path, languages=2)
    first, second = answers.accuracy(MODEL, 0, 0)[1], answers.accuracy(MODEL, 0, 1)[1]
    np.testing.assert_allclose(first, second, atol=1e-12)  # the languages have the same vectors


def test_what_an_earlier_call_has_finished_is_read(tmp_path, monkeypatch):
    before = made(tmp_path)
    monkeypatch.setattr(module, "right_answers", None)
    after = made(tmp_path)
    assert all(np.array_equal(before.right[each], after.right[each]) for each in before.right)


def test_heads_of_an_earlier_call_do_not_count_as_work_of_this_one(tmp_path):
    first, second = CountedSteps(), CountedSteps()
    made(tmp_path, first)
    made(tmp_path, second)
    total = first.steps["heads by language"][0]
    assert first.steps["heads by language"] == [total, total, 0]
    assert second.steps["heads by language"] == [total, 0, total]
