from __future__ import annotations

import json

import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.seeds import child
from wordworth.text.corpus.evaluation_overlap import GRAM, EvaluationTexts
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader
from wordworth.text.corpus.token_store import build_store
from wordworth.text.tokenizer import Tokenizer

WORDS = [f"w{number}" for number in range(200)]


def text(seed, length=30):
    return " ".join(child(seed, "overlap").choice(WORDS, length))


def test_thirteen_words_in_a_row_are_an_overlap_and_twelve_are_none():
    words = text(0).split()
    tests = EvaluationTexts.of([" ".join(words)])
    assert tests.overlap("Before, " + ", ".join(words[5 : 5 + GRAM]).upper() + "! After.")
    assert not tests.overlap("Before, " + ", ".join(words[5 : 4 + GRAM]) + " other words after.")
    assert not tests.overlap(text(1))


def test_a_short_text_overlaps_with_a_document_of_its_words_alone():
    tests = EvaluationTexts.of(["A fine film."])
    assert tests.overlap("a fine film")
    assert not tests.overlap("It was a fine film, they said.")


@pytest.mark.parametrize("name", ["tests.csv", "tests.jsonl", "tests.txt"])
def test_texts_of_every_column_are_read(tmp_path, name):
    first, second, path = text(2), text(3), tmp_path / name
    row = {"text_a": first, "text_b": second, "label": "x"}
    path.write_text(
        {"csv": f"text_a,text_b,label\n{first},{second},x\n", "jsonl": json.dumps(row), "txt": f"{first}\n{second}\n"}[
            name.partition(".")[2]
        ]
    )
    tests = EvaluationTexts.read(path)
    assert tests.overlap(f"so {first}")
    assert tests.overlap(f"so {second}")


def test_a_file_without_words_is_refused(tmp_path):
    (tmp_path / "tests.txt").write_text("...\n")
    with pytest.raises(BadInput, match="there is no text in this file"):
        EvaluationTexts.read(tmp_path / "tests.txt")


def corpus(folder):
    """Ten documents, two of which hold text that is tested on."""
    tested = [text(100), text(101)]
    documents = [text(number, 60) for number in range(8)] + [f"{text(8)} {tested[0]}", f"{tested[1]} {text(9)}"]
    (folder / "corpus.jsonl").write_text("".join(json.dumps({"text": each}) + "\n" for each in documents))
    (folder / "tests.csv").write_text("text,label\n" + "".join(f"{each},x\n" for each in tested))
    return folder / "corpus.jsonl", folder / "tests.csv"


def test_documents_that_overlap_are_left_out_and_counted(tmp_path):
    path, tests = corpus(tmp_path)
    reader = DocumentReader(CorpusSettings(leave_out=tests))
    assert len(list(reader.documents([path]))) == 8
    assert (reader.counts.read, reader.counts.overlapping) == (10, 2)


def test_a_store_knows_what_was_left_out_of_it(tmp_path):
    path, tests = corpus(tmp_path)
    trained = ww.tokenizer(path, out=tmp_path / "tok", size=260, leave_out=tests, exact=False)
    assert trained.words == 8 * 60
    tokenizer = Tokenizer.read(tmp_path / "tok")
    kept = build_store(path, tokenizer, tmp_path / "kept", CorpusSettings(leave_out=tests))
    whole = build_store(path, tokenizer, tmp_path / "whole")
    assert [store.counts["documents"] for store in (kept, whole)] == [8, 10]
    assert [store.counts.get("overlapping") for store in (kept, whole)] == [2, None]
    assert kept.fingerprint != whole.fingerprint
    with pytest.raises(BadInput, match="there is no such file"):
        build_store(path, tokenizer, tmp_path / "other", CorpusSettings(leave_out=tmp_path / "missing.csv"))


@pytest.mark.parametrize("sampling", [1, 0.7])
def test_a_corpus_that_overlaps_as_a_whole_is_said_to_do_so(tmp_path, sampling):
    path, tests = corpus(tmp_path)
    whole, clean = tmp_path / "whole.jsonl", tmp_path / "clean.jsonl"
    lines = path.read_text().splitlines()
    whole.write_text("\n".join([*lines[8:], lines[8], json.dumps({"text": " "})]) + "\n")
    clean.write_text("\n".join(lines[:8]) + "\n")
    refusal = f"all 2 documents share 13 words in a row .* with {tests}"
    with pytest.raises(BadInput, match=refusal) as refused:
        ww.tokenizer(
            [clean, whole] if sampling != 1 else whole, out=tmp_path / "tok", leave_out=tests, sampling=sampling
        )
    assert "--leave-out" in refused.value.mend
    ww.tokenizer(path, out=tmp_path / "made", size=260, exact=False)
    with pytest.raises(BadInput, match=refusal):
        build_store(whole, Tokenizer.read(tmp_path / "made"), tmp_path / "store", CorpusSettings(leave_out=tests))


def test_one_document_that_overlaps_is_named_alone_and_an_empty_corpus_is_not_said_to_overlap(tmp_path):
    path, tests = corpus(tmp_path)
    one, empty = tmp_path / "one.jsonl", tmp_path / "empty.jsonl"
    one.write_text(path.read_text().splitlines()[9] + "\n")
    empty.write_text(json.dumps({"text": " "}) + "\n")
    with pytest.raises(BadInput, match="the only document shares 13 words in a row"):
        ww.tokenizer(one, out=tmp_path / "tok", leave_out=tests)
    with pytest.raises(BadInput, match="there is no text in this corpus"):
        ww.tokenizer(empty, out=tmp_path / "tok", leave_out=tests)
