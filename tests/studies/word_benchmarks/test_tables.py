import math

import pytest
from tests.studies.word_benchmarks.small_sets import NAMES, pairs, part, table

from wordworth.studies.word_benchmarks import words


@pytest.fixture
def record(tmp_path, data):
    (data / "sim/EN-SIMLEX-999.txt").write_text(pairs(count=11))
    paths = [table(tmp_path / "one.txt"), table(tmp_path / "two.txt", part(*NAMES, noise=0.5))]
    return words(paths, data=data, draws=100)


def rows(record, name, **having):
    return [row for row in record.tables[name].rows() if having.items() <= row.items()]


def test_every_table_says_what_its_columns_are(record):
    for table_of_record in record.tables.values():
        assert set(table_of_record.columns) == set(table_of_record.describe)
        assert all(table_of_record.describe.values())


def test_a_mean_is_that_of_the_scores_it_names_under_the_same_policy(record):
    means = rows(record, "means")
    assert {mean["sets"] for mean in means} == {2}
    for mean in means:
        same = {name: mean[name] for name in ("model", "policy")}
        scores = [row["score"] for name in mean["over"] for row in rows(record, "scores", set=name, **same)]
        assert len(scores) == mean["sets"]
        assert mean["score"] == pytest.approx(sum(scores) / len(scores))
        assert mean["low"] <= mean["score"] <= mean["high"]
        assert 0 < mean["covered"] <= 1


def test_a_lead_is_of_a_table_over_one_with_a_lower_score(record):
    (lead,) = rows(record, "leads")
    assert lead["gap"] > 0
    assert lead["model"] != lead["against"]
    assert lead["low"] <= lead["gap"] <= lead["high"]


def test_gaps_are_against_the_first_table_and_analogies_alone_have_candidates(record):
    first = rows(record, "scores")[0]["model"]
    assert {row["against"] for row in rows(record, "gaps")} == {first}
    assert first not in {row["model"] for row in rows(record, "gaps")}
    for row in rows(record, "scores"):
        assert (row["candidates"] is not None and not math.isnan(row["candidates"])) == (row["kind"] == "analogy")
        assert row["items"] <= row["of"]
