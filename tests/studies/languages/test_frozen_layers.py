"""Fine-tuning with frozen layers, on texts whose labels are in a word."""

from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.counted_steps import CountedSteps
from tests.studies.languages.conftest import rows, write

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.measures.bootstrap import item_weights
from wordworth.studies.languages.correct_by_training_language import MODEL, RANDOM, Answers
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of
from wordworth.studies.languages.frozen_layers import (
    FROZEN,
    FineTunedAnswers,
    fine_tuned_answers,
    frozen_finding,
    frozen_rows,
    levels_of,
    require_trainable,
)
from wordworth.studies.languages.language_texts import read_texts
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.file_formats.read import read_rows


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    path = write(tmp_path_factory.mktemp("frozen") / "texts.csv", rows(40))
    data = read_texts(read_rows(path), LanguagesSettings())
    tests = np.concatenate([data.rows(number, test=True) for number in range(3)])
    return Answers(data, {}, tests, item_weights(data.num_items, 200, np.random.default_rng(0)))


def made(answers, runs=3):
    """Runs of which each level labels a known share of the texts of the source and of the others correctly."""
    rng, source = np.random.default_rng(0), answers.data.language[answers.tests] == 0
    shares = {(MODEL, -1): (0.9, 0.6), (MODEL, 0): (0.9, 0.7), (MODEL, 2): (0.8, 0.5), (RANDOM, -1): (0.5, 0.5)}
    right = {
        key: np.where(source, rng.random((runs, len(source))) < own, rng.random((runs, len(source))) < others)
        for key, (own, others) in shares.items()
    }
    return FineTunedAnswers(answers, right)


def test_a_sweep_has_about_quarters_of_the_layers_and_no_level_twice():
    assert levels_of(12) == [-1, 0, 3, 6, 9, 12]
    assert levels_of(6) == [-1, 0, 2, 3, 4, 6]
    assert levels_of(1) == [-1, 0, 1]


def test_a_row_has_the_mean_of_the_runs_and_an_interval_wider_than_that_over_texts(answers):
    tuned = made(answers)
    table = list(frozen_rows(tuned, 0))
    assert len(table) == 4 * 4
    assert all(set(row) == set(FROZEN) for row in table)
    language = answers.data.language[answers.tests]
    for row in table:
        right = tuned.right[row["system"], row["frozen"]]
        if row["language"] is None:
            by_run = np.mean([right[:, language == number].mean(1) for number in (1, 2)], axis=0)
        else:
            by_run = right[:, language == answers.languages.index(row["language"])].mean(1)
        assert row["accuracy"] == pytest.approx(by_run.mean())
        assert row["deviation"] == pytest.approx(by_run.std(ddof=1))
        assert row["accuracy_low"] <= row["accuracy"] <= row["accuracy_high"]
    text = frozen_finding(table, "aa").text
    assert "with nothing frozen" in text
    assert "with 2 layers frozen too" in text


def test_an_encoder_without_layers_is_refused():
    body = SimpleNamespace()
    encoder = SimpleNamespace(name="elmo/", model=SimpleNamespace(embedding=SimpleNamespace(), body=body))
    with pytest.raises(BadInput, match="'elmo/' is no transformer over pieces"):
        require_trainable(encoder)


@pytest.mark.slow
def test_every_level_and_run_is_fine_tuned_once(answers, files, tmp_path):
    encoder = encoder_of(str(files / "tiny"))
    progress = CountedSteps()
    finished = FinishedParts("key", progress, ArrayCache(tmp_path / "cache"))
    encoders = {MODEL: encoder, RANDOM: twin_of(encoder, 0)}
    tuned = fine_tuned_answers(encoders, answers, 2, 0, finished)
    assert set(tuned.right) == {(MODEL, -1), (MODEL, 0), (MODEL, 1), (MODEL, 2), (RANDOM, -1)}
    assert all(right.shape == (2, len(answers.tests)) for right in tuned.right.values())
    assert progress.steps["fine-tuning with frozen layers"] == [10, 10, 0]
    again = fine_tuned_answers(encoders, answers, 2, 0, finished)
    assert progress.steps["fine-tuning with frozen layers"] == [10, 10, 10], "what is read is no work"
    assert all(np.array_equal(again.right[key], tuned.right[key]) for key in tuned.right)
