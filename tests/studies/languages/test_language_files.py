"""Files of a folder by language and part, however their names are written."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.languages.language_files import FileKind, files_by_language, holds_files

TAGGED = FileKind((".conll", ".train", ".testa", ".testb"), "tagged sentences", "en.conll and de.conll")


def folder_of(tmp_path, *names):
    for name in names:
        (tmp_path / name).write_text("")
    return tmp_path


def by_language(folder, wanted=()):
    files = files_by_language([folder], TAGGED, wanted)
    return {name: {part: path.name for part, path in parts.items()} for name, parts in files.items()}


def test_a_file_is_named_for_its_language_and_may_be_packed(tmp_path):
    folder = folder_of(tmp_path, "en.conll", "de.conll.xz", "notes.txt")
    assert by_language(folder) == {"de": {"": "de.conll.xz"}, "en": {"": "en.conll"}}
    assert by_language(folder, ("en",)) == {"en": {"": "en.conll"}}


def test_parts_are_known_by_their_endings_and_a_development_part_is_learned_from_only_where_no_other_is(tmp_path):
    names = ("eng.train", "eng.testa", "eng.testb", "de-ud-train.conll", "de_test.conll", "fr.testa", "fr.testb")
    assert by_language(folder_of(tmp_path, *names)) == {
        "de": {"train": "de-ud-train.conll", "test": "de_test.conll"},
        "eng": {"train": "eng.train", "test": "eng.testb"},
        "fr": {"train": "fr.testa", "test": "fr.testb"},
    }


def test_a_folder_without_such_files_holds_none(tmp_path):
    assert not holds_files(folder_of(tmp_path, "en.csv"), TAGGED)
    assert holds_files(folder_of(tmp_path, "en.conll.gz"), TAGGED)


@pytest.mark.parametrize(
    ("names", "wanted", "message"),
    [
        (("en.conll",), (), "no tagged sentences of two languages or more"),
        (("en.conll", "de.conll"), ("fr",), "no file of tagged sentences in 'fr'; available: 'de', 'en'"),
        (("en_train.conll", "en.train", "de.conll"), (), "are the same part of one language"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, names, wanted, message):
    with pytest.raises(BadInput, match=message):
        by_language(folder_of(tmp_path, *names), wanted)


def test_a_language_may_stand_behind_a_prefix(tmp_path):
    kind = FileKind((".json",), "questions", "xquad.en.json and xquad.de.json", prefixed=True)
    folder = folder_of(tmp_path, "xquad.en.json", "xquad.de.json.xz", "fr.json", "SOURCE.md")
    assert list(files_by_language([folder], kind)) == ["fr", "de", "en"]
