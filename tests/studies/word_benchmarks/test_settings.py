import pytest

from wordworth.errors import BadInput
from wordworth.studies.word_benchmarks.settings import WordsSettings


@pytest.mark.parametrize("wrong", [{"most": 0}, {"draws": 99}, {"method": "3CosSub"}, {"candidates": "words"}], ids=str)
def test_a_value_out_of_range_is_refused_by_its_name_or_with_what_there_is(wrong):
    ((name, value),) = wrong.items()
    with pytest.raises(BadInput, match=rf"{name}|{value}"):
        WordsSettings(**wrong)


def test_all_sets_are_scored_unless_some_are_named():
    assert WordsSettings().sets == ("all",)
    assert WordsSettings(sets=("rg65",)).sets == ("rg65",)
