from __future__ import annotations

import json

import pytest

from wordworth.errors import BadInput
from wordworth.text.corpus.split_by_language import split_by_language


def corpus(folder, rows):
    path = folder / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def texts(path):
    return [json.loads(line)["text"] for line in path.read_text().splitlines()]


def test_every_language_has_a_file_with_its_texts_in_their_order(tmp_path):
    rows = [{"review": f"{language} {number}", "lang": language} for number in range(3) for language in ("sw", "de")]
    first = corpus(tmp_path, rows)
    second = tmp_path / "more.csv"
    second.write_text('review,lang\n"zwei\nZeilen, ein Text",de\n好,zh-Hans\n')
    files = split_by_language([first, second], "lang", "review", tmp_path / "parts")
    assert [file.name for file in files] == ["de.jsonl", "sw.jsonl", "zh-Hans.jsonl"]
    assert texts(files[0]) == ["de 0", "de 1", "de 2", "zwei\nZeilen, ein Text"]
    assert texts(files[2]) == ["好"]
    before = [file.read_bytes() for file in files]
    assert [
        file.read_bytes() for file in split_by_language([first, second], "lang", "review", tmp_path / "parts")
    ] == before
    assert len(list((tmp_path / "parts").iterdir())) == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"text": "a", "lang": "de"}, {"text": "b", "lang": " "}], "line 2: the 'lang' of this row is empty"),
        ([{"text": "a", "lang": "../de"}], "'../de' is no name of a language"),
        ([{"text": "a", "lang": "de"}, {"text": " ", "lang": "sw"}], "the language 'sw' has no text"),
        ([{"text": "a", "lang": ".de"}], "'.de' is no name of a language"),
        ([{"text": "a", "language": "de"}], "column 'lang' not found"),
        ([{"review": "a", "lang": "de"}], "column 'text' not found"),
        ([{"text": "a", "lang": str(number)} for number in range(501)], "more than 500 values"),
    ],
)
def test_rows_without_a_language_or_a_text_are_refused_and_leave_nothing(tmp_path, rows, message):
    with pytest.raises(BadInput, match=message):
        split_by_language([corpus(tmp_path, rows)], "lang", "text", tmp_path / "parts")
    assert list((tmp_path / "parts").iterdir()) == []


def test_a_text_file_has_no_column_of_languages(tmp_path):
    (tmp_path / "a.txt").write_text("a text\n")
    with pytest.raises(BadInput, match=r"a\.txt: a text file has no column 'lang'"):
        split_by_language([tmp_path / "a.txt"], "lang", "text", tmp_path / "parts")
