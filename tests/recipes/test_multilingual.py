"""The multilingual recipe: what is learned and what is held out, and the whole way from texts to a record."""

import json
import subprocess
import sys

import pytest

from parts.language_texts import HELD_OUT, LEARNED, divide, require_languages, texts_of
from wordworth.errors import BadInput
from wordworth.records import read
from wordworth.seeds import child

CHAPTERS = 60


def verses(folder, language, syllables, chapters):
    draw = child(0, "verses", language)
    words = ["".join(draw.choice(syllables, size=draw.integers(1, 4))) for _ in range(60)]
    rows = [
        f"Book.{chapter}.{verse}\t{language}{chapter} {' '.join(draw.choice(words, 12))}."
        for chapter in range(1, chapters + 1)
        for verse in (1, 2)
    ]
    (folder / f"{language}.tsv").write_text("\n".join(rows) + "\n")
    return folder / f"{language}.tsv"


@pytest.fixture
def files(tmp_path):
    return [
        verses(tmp_path, "aa", ["ba", "ko", "ti"], CHAPTERS),
        verses(tmp_path, "bb", ["ло", "ми", "ta"], CHAPTERS // 2),
    ]


def test_the_same_chapters_are_held_out_of_those_that_all_languages_have(files, tmp_path):
    (tmp_path / "more.jsonl").write_text(json.dumps({"text": "more text"}) + "\n")
    divide(files, {"aa": tmp_path / "more.jsonl"}, tmp_path / "text")
    held = {language: texts_of(tmp_path / "text", HELD_OUT, language) for language in ("aa", "bb")}
    learned = {language: texts_of(tmp_path / "text", LEARNED, language) for language in ("aa", "bb")}
    assert [text.split()[0][2:] for text in held["aa"]] == [text.split()[0][2:] for text in held["bb"]]
    assert all(int(text.split()[0][2:]) <= CHAPTERS // 2 for text in held["aa"])
    assert 1 <= len(held["aa"]) < CHAPTERS // 4
    assert len(learned["aa"]) + len(held["aa"]) == CHAPTERS + 1
    assert learned["aa"][-1] == "more text"
    assert len(learned["bb"]) + len(held["bb"]) == CHAPTERS // 2
    assert not set(held["aa"]) & set(learned["aa"])


def test_further_text_is_learned_without_what_is_held_out(files, tmp_path):
    divide(files, {}, tmp_path / "first")
    held, more = texts_of(tmp_path / "first", HELD_OUT, "aa")[0], tmp_path / "more.jsonl"
    more.write_text("".join(json.dumps({"text": text}) + "\n" for text in (f"Said: {held}", "more text")))
    divide(files, {"aa": more}, tmp_path / "text")
    assert texts_of(tmp_path / "text", HELD_OUT, "aa")[0] == held
    learned, before = (texts_of(tmp_path / folder, LEARNED, "aa") for folder in ("text", "first"))
    assert learned == [*before, "more text"]


def test_any_corpus_has_a_tenth_held_out(tmp_path):
    (tmp_path / "cc.jsonl").write_text("".join(json.dumps({"text": f"text {n}"}) + "\n" for n in range(400)))
    divide([tmp_path / "cc.jsonl"], {}, tmp_path / "text")
    parts = {part: texts_of(tmp_path / "text", part, "cc") for part in (LEARNED, HELD_OUT)}
    assert sum(map(len, parts.values())) == 400
    assert 20 <= len(parts[HELD_OUT]) <= 65


def test_a_language_without_text_or_with_too_little_is_refused(files, tmp_path):
    (tmp_path / "cc.txt").write_text("")
    with pytest.raises(BadInput, match="the language 'cc' has no text"):
        divide([*files, tmp_path / "cc.txt"], {}, tmp_path / "text")
    (tmp_path / "dd.txt").write_text("a text")
    with pytest.raises(BadInput, match="1 document in 'dd': a tenth is held out, and that leaves none"):
        divide([*files, tmp_path / "dd.txt"], {}, tmp_path / "text")


def test_a_language_has_one_file_and_further_texts_are_of_one_of_the_languages(files, tmp_path):
    require_languages(files, {"aa": tmp_path / "more.jsonl"})
    with pytest.raises(BadInput, match="are both of the language 'aa'"):
        require_languages([*files, tmp_path / "aa.txt"], {})
    with pytest.raises(BadInput, match="no file of 'a' is given; did you mean 'aa'"):
        require_languages(files, {"a": tmp_path / "more.jsonl"})


@pytest.mark.slow
def test_from_texts_to_a_record(files, tmp_path):
    out = tmp_path / "runs"
    size = ["--size", "300", "--model-size", "1x16", "--steps", "2", "--batch-size", "2", "--seeds", "1"]
    command = [sys.executable, "recipes/multilingual.py", *map(str, files), "--out", str(out), *size]
    subprocess.run(command, check=True, capture_output=True)
    record = read(out / "multilingual.json")
    rows = record.tables["languages"].rows()
    assert len(rows) == 10
    assert {row["language"] for row in rows} == {"aa", "bb"}
    assert all(0 < row["low"] <= row["bits"] <= row["high"] for row in rows)
    assert sum(row["share"] for row in rows if row["model"] == "wordpiece-0.7") == pytest.approx(1)
    assert len(record.tables["differences"].rows()) == 12
    assert "Bits a character beside wordpiece-0.7" in record.verdict
