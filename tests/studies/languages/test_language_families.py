"""Families of languages by their codes."""

import pytest

from wordworth.studies.languages.language_families import _CODES, descent_of


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
