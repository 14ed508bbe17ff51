"""The chart of a query's words says what the choice of the nearest texts makes true by construction."""

from wordworth.records import Finding, Record, Table
from wordworth.reports.captions import with_captions
from wordworth.reports.record_view import RecordView
from wordworth.reports.similarity.query_words import query_figure
from wordworth.studies.similarity.query_words import QUERY_WORDS


def test_the_word_with_the_largest_part_is_the_title_and_all_words_are_in_the_table():
    word = {**dict.fromkeys(QUERY_WORDS, 0.1), "special": False}
    rows = [{**word, "word": f"w{number}", "mean": number / 100} for number in range(30)]
    rows.append({**word, "word": "[SEP]", "special": True, "mean": 0.9})
    record = Record("similarity", {}, {}, {"query_words": Table.of(rows, QUERY_WORDS)}, [Finding("verdict", "x")])
    figure = query_figure(RecordView.of(with_captions(record)))
    assert figure.title == "“w29” gives 0.29 to the nearest texts, 0.10 to random ones"
    assert "by construction" in figure.notes[0]
    assert len(figure.table.rows) == 31
    assert "w29" in figure.drawings[0].svg
    assert ">w5<" not in figure.drawings[0].svg
