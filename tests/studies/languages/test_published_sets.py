"""Published sets in several languages are found by name in the folder of data."""

import lzma

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.languages.conftest import rows, write
from tests.studies.languages.tagging.tagged_files import conll, sentences

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.languages.published_sets import named_set
from wordworth.studies.languages.settings import NAMED_SETS


@pytest.mark.parametrize("name", NAMED_SETS)
def test_a_named_set_is_found_in_the_folder_of_data(name, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    stored = []
    for place in NAMED_SETS[name]:
        with pytest.raises(BadInput, match=f"the files of {name} are not on this machine") as refused:
            named_set(name)
        assert place in refused.value.mend
        stored.append(store(tmp_path / place))
    assert named_set(name) == tuple(stored)


def store(place):
    """Write an empty folder or a packed file; return its path."""
    if not place.suffix:
        place.mkdir(parents=True)
        return place
    place.parent.mkdir(parents=True)
    packed = place.with_name(f"{place.name}.xz")
    packed.write_bytes(lzma.compress(b"text\n"))
    return packed


def test_a_set_in_several_folders_is_studied_as_those_files_in_one(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    files = {"eng.train": "aa", "esp.train": "bb", "ned.train": "cc"}
    one = tmp_path / "one"
    for folder, (file, language) in zip(NAMED_SETS["conll2002"], files.items(), strict=True):
        for place in (tmp_path / folder, one):
            place.mkdir(exist_ok=True)
            (place / file).write_text(conll(sentences(language)), encoding="utf-8")
    model = write_tiny_encoder(tmp_path / "tiny")
    named, own = (ww.study_languages(data, model=str(model), draws=100) for data in ("conll2002", one))
    assert (named.data["name"], named.data["languages"]) == ("conll2002", ["eng", "esp", "ned"])
    assert named.tables == own.tables


def test_a_study_of_a_named_file_is_that_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (tmp_path / "parallel" / "sib200").mkdir(parents=True)
    path, model = write(tmp_path / "parallel" / "sib200" / "train.csv", rows()), write_tiny_encoder(tmp_path / "tiny")
    named, own = (ww.study_languages(data, model=str(model), draws=100) for data in ("sib200", path))
    assert named.data["name"] == "train.csv"
    assert named.tables == own.tables


def test_an_unknown_name_is_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="sib: there is no such file"):
        ww.study_languages("sib")
