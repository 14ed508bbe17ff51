"""The map of a pair writes each cell, marks those that take from the cosine, and gives way to a table."""

from wordworth.records import Finding, Record, Table
from wordworth.reports.captions import with_captions
from wordworth.reports.record_view import RecordView
from wordworth.reports.similarity.record_view import MOST_UNITS, pairs_with_words
from wordworth.reports.similarity.word_contributions import pair_figure
from wordworth.studies.similarity.tables import CELLS, PAIRS, WORDS


def figure(words=2, agreement=0.25):
    names = [
        {"pair": 1, "text": text, "position": n + 1, "word": f"w{text}{n}", "special": False, "contribution": 0.25,
         "drop": None, "pooled_drop": 0.125}
        for text in (1, 2) for n in range(words)
    ]  # fmt: skip
    values = [0.3, -0.02, 0.12, 0.1, *[0.0] * words**2]
    cells = [{"pair": 1, "first": 1 + n // words, "second": 1 + n % words, "value": values[n]} for n in range(words**2)]
    pair = {**dict.fromkeys(PAIRS, 0.1), "pair": 1, "cosine": 0.5, "agreement": agreement}
    tables = {"pairs": Table.of([pair], PAIRS), "words": Table.of(names, WORDS), "cells": Table.of(cells, CELLS)}
    record = Record("similarity", {}, {}, tables, [Finding("verdict", "x")])
    view = RecordView.of(with_captions(record))
    return pair_figure(view, *pairs_with_words(view))


def test_cells_are_hundredths_of_the_cosine_and_the_largest_is_the_title():
    found = figure()
    assert found.title == "Pair 1: cosine 0.50, of which 0.30 from “w10” and “w20”"
    assert all(f">{text}<" in found.drawings[0].svg for text in ("30.0", "−2.0", "12.0", "10.0"))
    assert "correlation of 0.25" in found.notes[0]


def test_without_a_rank_correlation_none_is_named():
    assert "correlation" not in figure(agreement=None).notes[0]


def test_too_many_words_are_a_table():
    found = figure(words=MOST_UNITS + 1)
    assert not found.drawings
    assert "too long to draw" in found.absent
    assert len(found.table.rows) == 2 * (MOST_UNITS + 1)
