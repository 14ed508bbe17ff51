import numpy as np
import pytest
from tests.studies.languages.test_correct_by_training_language import made
from tests.studies.languages.worlds import world

from wordworth.studies.languages.correct_by_training_language import MODEL
from wordworth.studies.languages.nearest_translations import retrieve
from wordworth.studies.languages.tables import (
    LANGUAGES,
    LAYERS,
    RETRIEVAL,
    TRANSFER,
    language_rows,
    layer_rows,
    mean_gap,
    retrieval_rows,
    transfer_rows,
)


def test_a_language_is_served_and_labels_carry_over_where_they_do(tmp_path):
    rows = list(language_rows(made(tmp_path)))
    assert all(set(row) == set(LANGUAGES) for row in rows)
    assert [row["served"] for row in rows] == ["yes"] * 3
    assert [row["transfers"] for row in rows] == [None, "yes", "yes"]
    for row in rows[1:]:
        assert row["gap_low"] <= row["gap"] <= row["gap_high"]
        assert row["gap"] == pytest.approx(row["zero_shot"] - row["own"])
        assert row["back_gap"] == pytest.approx(row["back"] - rows[0]["own"])


def test_labels_do_not_carry_over_where_each_language_has_its_own_direction(tmp_path):
    answers = made(tmp_path, shared=False)
    rows = list(language_rows(answers))
    assert "yes" not in {row["transfers"] for row in rows}
    assert all(row["gap_high"] < -0.25 for row in rows[1:])
    gap, draws = mean_gap(answers, back=False)
    assert gap == pytest.approx(np.mean([row["gap"] for row in rows[1:]]))
    assert np.quantile(draws, 0.025) < gap < np.quantile(draws, 0.975)
    assert mean_gap(answers, back=True)[0] == pytest.approx(np.mean([row["back_gap"] for row in rows[1:]]))


def test_every_pair_of_languages_has_a_row(tmp_path):
    rows = list(transfer_rows(made(tmp_path)))
    assert len(rows) == 9
    assert all(set(row) == set(TRANSFER) for row in rows)
    assert [row["gap"] for row in rows if row["train"] == row["test"]] == [None] * 3


def test_translations_and_layers_have_their_rows(tmp_path):
    answers = made(tmp_path)
    data, features = world()
    rows = list(retrieval_rows({(MODEL, 1): retrieve(features, data, 1)}, answers))
    assert set(rows[0]) == set(RETRIEVAL)
    assert (rows[0]["language"], rows[0]["forward"], rows[0]["items"]) == ("b", 1.0, 400)
    tests = answers.tests[:100]
    right = np.ones((2, 100), dtype=bool)
    layers = list(layer_rows(right, ~right, tests, answers))
    assert [set(row) for row in layers] == [set(LAYERS)] * 2
    assert [layers[0][name] for name in ("accuracy", "random", "chance")] == [1.0, 0.0, pytest.approx(1 / 3)]


@pytest.mark.slow
def test_intervals_of_the_gap_hold_the_truth_as_often_as_they_say(tmp_path):
    """S31: the true gap is 0 where the languages have the same direction and noise of their own."""
    covered = []
    for seed in range(40):
        rows = list(language_rows(made(tmp_path / str(seed), items=200, languages=2, noise=2.0, seed=seed)))
        covered.append(rows[1]["gap_low"] <= 0 <= rows[1]["gap_high"])
    assert np.mean(covered) >= 0.85
