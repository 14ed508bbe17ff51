"""The findings on a codebook."""

from wordworth.records import Table
from wordworth.studies.codebook.findings import findings
from wordworth.training.codebook.settings import CodebookSettings

ROW = {"level": 1, "codes": 4, "used": 3, "error": 1.0, "unexplained": 0.25, "perplexity": 2.5}


def test_few_rows_for_each_code_are_a_warning():
    levels = Table.of([ROW], dict.fromkeys(ROW, ""))
    names = [[each.name for each in findings(CodebookSettings(k=4, depth=1), levels, rows)] for rows in (29, 30)]
    assert ["warning.few_rows" in each for each in names] == [True, False]
    headline = findings(CodebookSettings(k=4, depth=1), levels, 30)[0].numbers["headline"]
    assert headline == "3 of 4 codes in use; 25.0 % of the variance is left."
