"""The report on a file of vectors has the names that earlier versions had."""

from pathlib import Path

from wordworth.inference.embed_report import EmbedReport


def test_former_names_are_those_of_today():
    report = EmbedReport(Path("v.npy"), 3, 2, 0, zero_vectors=1, empty_texts=2, unchanged=True)
    assert (report.blank, report.empty, report.finished) == (1, 2, True)
