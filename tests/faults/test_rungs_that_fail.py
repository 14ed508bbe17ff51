"""A rung that fails is no rung that scored: the terminal says that it failed and why, and nothing compares with it."""

from __future__ import annotations

import pytest
from tests.cli.terminal import reviews, wordworth
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import study

from wordworth import records
from wordworth.reports import render
from wordworth.reports.worth.header import caveats, gravest_warnings
from wordworth.reports.worth.record_view import WorthView


@pytest.fixture
def overflowing(tmp_path, monkeypatch):
    """A folder with reviews, and a table of vectors whose sums overflow float32."""
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    reviews(tmp_path / "reviews.csv", 120)
    numbers = " ".join(["3e38"] * 4)
    (tmp_path / "over.txt").write_text("".join(f"{word} {numbers}\n" for word in ["bright", "dull", "w1", "w2", "w3"]))
    return tmp_path


def test_a_table_of_ones_own_that_overflows_is_said_on_the_terminal_and_has_no_score(overflowing):
    choices = [
        "--vectors",
        overflowing / "over.txt",
        "--model",
        "none",
        "--rung",
        "tfidf",
        "--rung",
        "over",
        "--seeds",
        "2",
    ]
    done = wordworth("worth", overflowing / "reviews.csv", *choices, "--out", overflowing / "out")
    assert done.code == 0
    said = [line for line in done.out.splitlines() if line.startswith("- over failed and has no score: ")]
    assert len(said) == 1
    assert "overflow float32; scale the table down" in said[0]
    record = records.read(overflowing / "out")
    (row,) = [row for row in record.tables["ladder"].rows() if row["rung"] == "over"]
    assert (row["state"], row["score"], row["low"], row["gap"]) == ("failed", None, None, None)
    assert {row["score"] for row in record.tables["runs"].rows() if row["rung"] == "over"} == {None}
    assert "over" not in {row["rung"] for row in record.tables["curve"].rows()}


def test_a_contextual_rung_that_fails_never_makes_a_cheap_one_suffice():
    record = study(FakeRung("tfidf", "counts", constant(0.9)), FakeRung("minilm", "frozen", constant(0.95), fails=True))
    verdict = record.finding("verdict")
    assert verdict.numbers["answer"] == "cannot tell yet"
    assert "No contextual encoder could be measured (it did not converge)" in verdict.text


def test_the_list_of_caveats_says_once_that_a_rung_failed_and_the_head_of_the_page_says_it_too():
    record = study(FakeRung("tfidf", "counts", constant(0.9)), FakeRung("glove", "static", constant(0.8), fails=True))
    assert [warning.name for warning in record.warnings if "rung" in warning.name] == ["warning.rung.glove"]
    view = WorthView.of(record)
    assert caveats(view).unmeasured_rungs == ("Failed: Glove: it did not converge.",)
    assert not any("converge" in warning for warning in caveats(view).warnings)
    assert "Glove failed and has no score: it did not converge." in gravest_warnings(view)


def test_a_ladder_of_which_only_the_constant_rung_is_left_has_a_record_and_a_page():
    record = study(FakeRung("tfidf", "counts", constant(0.9), fails=True))
    assert record.finding("verdict").numbers["answer"] == "cannot tell yet"
    assert "Tfidf failed and has no score: it did not converge." in {warning.text for warning in record.warnings}
    assert render(record)
