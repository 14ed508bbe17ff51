"""Families of languages by their codes."""

import pytest

from wordworth.studies.languages.language_families import _CODES, Relations, descent_of


@pytest.mark.parametrize("name", ["de", "deu", "deu_Latn", "de_pud", "de-AT", "DE"])
def test_a_code_may_have_a_script_a_country_or_a_corpus_behind_it(name):
    assert descent_of(name) == ("Indo-European", "Germanic")


def test_a_code_that_is_not_in_the_list_has_no_descent():
    assert descent_of("german") is None
    assert descent_of("") is None


def test_no_code_is_of_two_genera():
    codes = " ".join(_CODES.values()).split()
    assert len(codes) == len(set(codes))
    assert all(2 <= len(code) <= 3 for code in codes)


def test_relations_are_by_genus_and_family():
    languages = ("en", "de", "fr", "fi", "et", "tr", "xx")
    relations = Relations.of(languages)
    index = languages.index
    assert relations.related[index("en"), index("de")]
    assert not relations.related[index("en"), index("en")]
    assert not relations.related[index("en"), index("fr")]
    assert not relations.distant[index("en"), index("fr")], "another genus of the same family is neither"
    assert relations.distant[index("en"), index("fi")]
    assert not (relations.related | relations.distant)[index("xx")].any()
    assert [languages[test] for test in relations.compared] == ["en", "de", "fi", "et"]
