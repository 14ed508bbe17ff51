"""The tables hold every system, filter and target code."""

from wordworth.studies.medical_codes.baselines import BASELINES
from wordworth.studies.medical_codes.systems import BOTH, TRAINED_SYSTEMS
from wordworth.studies.medical_codes.tables import compared


def test_every_system_has_each_measure_of_each_set_of_codes(codes_study):
    rows = codes_study[1].tables["scores"].rows()
    systems = [*(system.name for system in TRAINED_SYSTEMS), *BASELINES]
    sets = {row["codes"] for row in rows}
    assert {"all", "common"} <= sets
    assert len(rows) == len(systems) * len(sets) * 3
    assert all(0 <= row["low"] <= row["high"] <= 1 for row in rows if row["system"] in BASELINES)


def test_differences_are_those_of_the_scores(codes_study):
    tables = codes_study[1].tables
    scores = {(row["system"], row["codes"], row["measure"]): row["value"] for row in tables["scores"].rows()}
    for row in tables["differences"].rows():
        first, second = (scores[row[which], row["codes"], row["measure"]] for which in ("first", "second"))
        assert abs(row["difference"] - (first - second)) < 1e-9
    assert {pair for pair in compared() if pair[0] == BOTH} >= {(BOTH, baseline) for baseline in BASELINES}


def test_filters_end_with_the_parts_of_the_patients(codes_study):
    rows = {row["step"]: row for row in codes_study[1].tables["filters"].rows()}
    assert next(iter(rows)) == "in the file"
    assert rows["in the file"]["patients"] == 30
    parts = [rows[name]["patients"] for name in ("to pretrain", "to validate", "to test")]
    assert parts == [22, 4, 4]
    assert rows["to train"]["patients"] == 16


def test_target_codes_are_listed_by_frequency(codes_study):
    rows = codes_study[1].tables["targets"].rows()
    counts = [row["train"] for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert sum(row["train"] for row in rows if row["rare"]) <= 0.2 * sum(counts)
    assert {row["chosen"] for row in codes_study[1].tables["runs"].rows()} >= {"round 1 of 1"}
