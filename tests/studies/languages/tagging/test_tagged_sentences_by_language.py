import lzma

import pytest
from tests.studies.languages.tagging.tagged_files import conll, rows, sentences, write_folder

from wordworth.errors import BadInput
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.tagging.tagged_sentences_by_language import (
    is_tagged,
    tables_by_language,
    tables_in,
    tagged_languages,
)
from wordworth.text.file_formats.in_memory import as_file
from wordworth.text.file_formats.read import read_rows


def read(folder, **choices):
    settings = LanguagesSettings(**choices)
    return tagged_languages(tables_in([folder], settings.languages), settings)


def test_the_first_half_of_a_file_is_learned_from_and_the_rest_tested_on(data):
    assert data.languages == ("aa", "bb", "cc")
    assert data.classes == ("O", "B-LOC", "I-LOC", "B-PER", "I-PER")
    assert data.metric == "entity_f1"
    made = sentences("bb")
    assert [list(words) for words in data.train[1].words] == [[word for word, _ in each] for each in made[:30]]
    tags = [[data.classes[tag] for tag in each.tolist()] for each in data.test[1].tags]
    assert tags == [[tag for _, tag in each] for each in made[30:]]


def test_files_of_parts_hold_the_parts_and_development_sentences_are_left_out(tmp_path):
    for part, number in (("train", 20), ("testa", 15), ("testb", 12)):
        for language in ("aa", "bb"):
            made = sentences(language, number, "iob1")
            with lzma.open(tmp_path / f"{language}.{part}.xz", "wt") as file:
                file.write(conll(made))
    (tmp_path / "README.md").write_text("# no tags\n")
    read_in = read(tmp_path)
    assert read_in.languages == ("aa", "bb")
    assert [(len(read_in.train[n]), len(read_in.test[n])) for n in (0, 1)] == [(20, 12)] * 2
    assert "B-PER" in read_in.classes, "IOB1 is read as IOB2"


def test_a_table_with_words_tags_and_languages_is_read_alike(folder):
    with as_file(rows()) as path:
        table = read_rows(path)
        assert is_tagged(table)
        settings = LanguagesSettings(source="bb")
        read_in = tagged_languages(tables_by_language(table, settings), settings)
    assert read_in.languages == ("bb", "aa")
    assert read_in.train[0].words == read(folder, source="bb").train[0].words


def test_plain_tags_are_scored_word_by_word_and_parallel_files_give_parallel_sentences(tmp_path):
    for language in ("aa", "bb"):
        made = [
            [(f"{word}{row}", "N" if tag == "O" else "X") for word, tag in each]
            for row, each in enumerate(sentences("aa"))
        ]
        (tmp_path / f"{language}_ud-test.conll").write_text(conll(made))
    read_in = read(tmp_path, limit=40)
    assert read_in.languages == ("aa_ud", "bb_ud")
    assert (read_in.metric, read_in.classes) == ("token_accuracy", ("N", "X"))
    assert len(read_in.test[0]) == 20
    assert read_in.test[0].words == read_in.test[1].words


@pytest.mark.parametrize(
    ("change", "choices", "message"),
    [
        (
            lambda folder: (folder / "bb.conll").unlink(),
            {"languages": ("aa", "bb")},
            "no file of tagged sentences in 'bb'",
        ),
        (lambda folder: [(folder / f"{name}.conll").unlink() for name in ("bb", "cc")], {}, "of two languages or more"),
        (lambda folder: (folder / "bb.iob").write_text("a O\n"), {}, "are the same part of one language"),
        (
            lambda folder: (folder / "cc.conll").write_text(conll(sentences("cc")).replace("LOC", "MISC")),
            {},
            "'cc' has no entity of the type 'LOC', which 'aa' has",
        ),
        (
            lambda folder: (folder / "bb.conll").write_text(conll(sentences("bb", 12))),
            {},
            "6 sentences in 'bb' cannot be learned from and measured",
        ),
        (lambda folder: (folder / "bb.conll").write_text("\n"), {}, "the file is empty"),
        (lambda _: None, {"source": "dd"}, "no text in 'dd'"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, change, choices, message):
    folder = write_folder(tmp_path / "names")
    change(folder)
    with pytest.raises(BadInput, match=message) as refused:
        read(folder, **choices)
    assert refused.value.mend
