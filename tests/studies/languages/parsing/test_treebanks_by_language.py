import lzma

import pytest
from tests.studies.languages.parsing.treebank_files import write_folder
from tests.studies.syntax.small_treebank import conllu

from wordworth.errors import BadInput
from wordworth.studies.languages.parsing.treebanks_by_language import parsed_languages, treebanks_in
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.text.treebank import read_treebank


def read(folder, **choices):
    settings = LanguagesSettings(**choices)
    return parsed_languages(treebanks_in(folder, settings.languages), settings, folder)


def test_the_first_half_of_a_treebank_is_learned_from_and_the_rest_tested_on(tmp_path):
    data = read(write_folder(tmp_path / "ud"), source="bb")
    assert data.languages == ("bb", "aa", "cc")
    made = read_treebank(tmp_path / "ud" / "cc.conllu").sentences
    assert [each.words for each in data.part(2, test=False)] == [each.words for each in made[:30]]
    assert [each.heads.tolist() for each in data.part(2, test=True)] == [each.heads.tolist() for each in made[30:]]
    assert "conj" in data.relations, "relations have no subtypes"
    assert [origin.path for origin in data.origins] == ["bb.conllu", "aa.conllu", "cc.conllu"]


@pytest.mark.parametrize(("learned", "left_out"), [("train", "dev"), ("dev", None)])
def test_parts_are_named_as_universal_dependencies_name_them(tmp_path, learned, left_out):
    for language in ("en_aa", "de_bb"):
        for part, number in ((learned, 22), ("test", 12), (left_out, 15)):
            if part:
                with lzma.open(tmp_path / f"{language}-ud-{part}.conllu.xz", "wt") as file:
                    file.write(conllu(number))
    data = read(tmp_path)
    assert data.languages == ("en_aa", "de_bb")
    assert [(len(data.train[n]), len(data.test[n])) for n in (0, 1)] == [(22, 12)] * 2


def test_parallel_treebanks_give_parallel_sentences(tmp_path):
    data = read(write_folder(tmp_path / "ud"), limit=40)
    assert [len(part) for part in (*data.train, *data.test)] == [20] * 6
    for part in (data.train, data.test):
        assert [each.line for each in part[0]] == [each.line for each in part[1]]


@pytest.mark.parametrize(
    ("change", "choices", "message"),
    [
        (lambda _: None, {"languages": ("aa", "dd")}, "no file of treebanks in 'dd'"),
        (
            lambda folder: [(folder / f"{name}.conllu").unlink() for name in ("bb", "cc")],
            {},
            "of two languages or more",
        ),
        (lambda folder: (folder / "bb.conllu").write_text(conllu(12)), {}, "6 sentences in 'bb' cannot be learned"),
        (
            lambda folder: (folder / "bb.conllu").write_text(conllu().replace("\t0\troot", "\t1\troot", 1)),
            {},
            "a sentence with 0 roots",
        ),
        (lambda _: None, {"source": "dd"}, "no text in 'dd'"),
        (lambda _: None, {"languages": ("aa",)}, "one language cannot be compared"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, change, choices, message):
    folder = write_folder(tmp_path / "ud")
    change(folder)
    with pytest.raises(BadInput, match=message) as refused:
        read(folder, **choices)
    assert refused.value.mend
