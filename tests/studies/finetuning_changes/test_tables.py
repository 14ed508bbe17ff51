"""The tables of the record: a row for each layer, head, line and part, with intervals around their values."""

import pytest

from wordworth.measures.attention_patterns import PATTERNS


@pytest.fixture(scope="module")
def tables(record):
    return {name: table.rows() for name, table in record.tables.items()}


def test_layers_and_heads_have_a_row_each(tables):
    assert [row["layer"] for row in tables["layers"]] == [0, 1, 2]
    assert [(row["layer"], row["head"]) for row in tables["heads"]] == [(x, y) for x in (1, 2) for y in (1, 2, 3, 4)]
    for row in tables["layers"]:
        assert row["cka_low"] <= row["cka"] <= row["cka_high"]
        assert row["more"] == pytest.approx(row["cka_seed"] - row["cka"])
    assert tables["layers"][0]["cosine"] is None
    first = [row["cosine"] for row in tables["heads"] if row["layer"] == 1]
    assert tables["layers"][1]["cosine"] == pytest.approx(sum(first) / len(first))


def test_shares_of_patterns_sum_to_one_for_each_model(tables):
    for model in ("start", "run", "second seed", "random weights"):
        rows = [row for row in tables["patterns"] if row["model"] == model]
        assert sum(row["share"] for row in rows) == pytest.approx(1)
        assert sum(row["by_network"] for row in rows) == pytest.approx(1)
        assert [row["pattern"] for row in rows] == list(PATTERNS)


def test_lines_are_those_of_every_run_and_agree_with_their_basins(tables):
    lines = {(row["line"], row["rows"]) for row in tables["lines"] if row["direction"] == "line"}
    names = ("with its first head", "second seed", "from scratch")
    assert lines == {("this run", "learned"), ("this run", "unseen"), *((name, "learned") for name in names)}
    loss = {(r["line"], r["rows"], r["position"]): r["loss"] for r in tables["lines"] if r["direction"] == "line"}
    for row in tables["basins"]:
        if row["direction"] == "line":
            assert row["start"] == loss[row["line"], row["rows"], 0.0]
            assert row["end"] == loss[row["line"], row["rows"], 1.0]
            assert 0 <= row["falling"] <= 1
    assert loss["this run", "learned", 1.0] == loss["with its first head", "learned", 1.0]


def test_the_plane_meets_the_line(tables):
    loss = {(row["across"], row["up"]): row["loss"] for row in tables["plane"]}
    line = {r["position"]: r["loss"] for r in tables["lines"]
            if (r["line"], r["rows"], r["direction"]) == ("this run", "learned", "line")}  # fmt: skip
    assert len(loss) == 25
    for position in (-0.5, 0.0, 0.5, 1.0, 1.5):
        assert loss[position, 0.0] == pytest.approx(line[position], rel=0.02)  # the plane may be in bfloat16


def test_every_part_is_reset(tables):
    reset = [row["part"] for row in tables["roll_back"]]
    assert reset == ["layer 1", "layer 2", "embedding", "bottom", "top", "all"]  # two layers have no middle third
    assert tables["way"][0]["step"] == 0
