from __future__ import annotations

import json

import pytest

import wordworth as ww
from wordworth.seeds import child


def languages(folder, large=2_000, small=20):
    """Two folders of one language each: the words of the large one are 100 times as many."""
    draw = child(0, "languages")
    for name, syllables, documents in (
        ("large", ["ba", "ko", "ti", "mu"], large),
        ("small", ["ло", "ми", "зу"], small),
    ):
        words = ["".join(draw.choice(syllables, size=draw.integers(2, 5))) for _ in range(200)]
        texts = [" ".join(draw.choice(words, size=20)) for _ in range(documents)]
        (folder / name).mkdir()
        (folder / name / "text.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return [folder / "large", folder / "small"]


def test_a_column_of_languages_gives_the_vocabulary_of_a_folder_a_language(tmp_path):
    corpora = languages(tmp_path)
    rows = [
        json.dumps({**json.loads(line), "lang": folder.name}) + "\n"
        for folder in corpora
        for line in (folder / "text.jsonl").read_text().splitlines()
    ]
    (tmp_path / "both.jsonl").write_text("".join(rows))
    first = ww.tokenizer(tmp_path / "both.jsonl", out=tmp_path / "one", size=220, sampling=0.7, language_column="lang")
    two = ww.tokenizer(corpora, out=tmp_path / "two", size=220, sampling=0.7)
    assert (tmp_path / "one" / "vocab.txt").read_bytes() == (tmp_path / "two" / "vocab.txt").read_bytes()
    assert [each[1:] for each in first.corpora] == [each[1:] for each in two.corpora]
    assert [each.name for each in first.corpora] == ["large", "small"]


def test_a_table_in_memory_gives_the_tokenizer_of_a_file_of_its_texts(tmp_path):
    lines = [(folder / "text.jsonl").read_text().splitlines() for folder in languages(tmp_path)]
    rows = [json.loads(line) for each in lines for line in each]
    (tmp_path / "file.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    from_file = ww.tokenizer(tmp_path / "file.jsonl", out=tmp_path / "a", size=220)
    from_table = ww.tokenizer(rows, out=tmp_path / "b", size=220)
    assert from_file.tokenizer.fingerprint == from_table.tokenizer.fingerprint
    assert (tmp_path / "a" / "vocab.txt").read_bytes() == (tmp_path / "b" / "vocab.txt").read_bytes()


@pytest.mark.parametrize(("algorithm", "lowercase"), [("wordpiece", True), ("unigram", False), ("byte-level", False)])
def test_only_wordpiece_is_lower_case_unless_it_is_said(algorithm, lowercase, tmp_path):
    corpus = languages(tmp_path)[0]
    settings = {"size": 220, "algorithm": algorithm, "exact": False}
    usual = ww.tokenizer(corpus, out=tmp_path / "usual", **settings)
    lowercased = ww.tokenizer(corpus, out=tmp_path / "asked", **settings, lowercase=lowercase)
    assert usual.tokenizer.fingerprint == lowercased.tokenizer.fingerprint


@pytest.mark.parametrize("wrong", [{"size": 0}, {"algorithm": "words"}, {"sampling": -1.0}, {"layout": "sideways"}])
def test_settings_that_are_none_are_refused_before_the_corpus_is_read(wrong, tmp_path):
    with pytest.raises(ww.BadInput) as told:
        ww.tokenizer(tmp_path / "nowhere", out=tmp_path / "out", **wrong)
    assert "nowhere" not in str(told.value)
    assert not (tmp_path / "out").exists()
