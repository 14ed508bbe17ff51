"""The tables of the page: long texts are shortened, one pair alone has no table of pairs."""

from wordworth.records import Finding, Record, Table
from wordworth.reports.record_view import RecordView
from wordworth.reports.similarity.tables import pairs, word_shares
from wordworth.studies.similarity.tables import PAIRS, WORD_SHARES


def view(number):
    row = {"first": "word " * 40, "second": "b", "same_words": 0.1, "different_words": 0.2, "special_tokens": 0.2}
    rows = [{**row, "pair": n + 1, "cosine": 0.5, "agreement": None, "pooled_agreement": None} for n in range(number)]
    ends = {f"{name}_{end}": 0.1 for name in ("share", "ratio", "gap") for end in ("low", "high")}
    shares = [{"word": "cat", "pairs": 7, "share": 0.1, "ratio": 1.5, **ends, "above": False}]
    shares[0] |= {"mean": 0.05, "random": 0.02, "gap": 0.03}
    tables = {"pairs": Table.of(rows, PAIRS), "word_shares": Table.of(shares, WORD_SHARES)}
    return RecordView.of(Record("similarity", {}, {}, tables, [Finding("verdict", "x")]))


def test_pairs_are_listed_with_their_texts_shortened():
    grid = pairs(view(150))
    assert grid.caption == "The first 100 of 150 pairs"
    assert len(grid.rows) == 100
    assert grid.rows[0][1].text.endswith("…")


def test_one_pair_has_no_table_of_pairs():
    assert pairs(view(1)) is None


def test_words_have_their_share_and_ratio_with_intervals():
    (row,) = word_shares(view(1)).rows
    assert [cell.text for cell in row] == ["cat", "7", "0.100", "1.50", "0.030"]
    assert row[2].detail == "0.100 to 0.100"
