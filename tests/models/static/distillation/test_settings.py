import pytest

from wordworth.errors import BadInput
from wordworth.models.static.distillation.settings import METHODS, DistilSettings


@pytest.mark.parametrize("method", METHODS)
def test_each_method_may_be_named(method):
    assert DistilSettings(method=method).method == method


@pytest.mark.parametrize(
    ("taken_for_a_method", "option"),
    [("sif", "sif"), ("Whitening", "whiten"), ("abtt", "remove_top"), ("PCA", "width")],
)
def test_a_way_of_postprocessing_that_is_taken_for_a_method_is_answered_with_its_option(taken_for_a_method, option):
    with pytest.raises(BadInput, match=rf"no method '{taken_for_a_method}'; add `{option}`.* to a method: pc1, mean"):
        DistilSettings(method=taken_for_a_method)


def test_a_misspelt_method_is_answered_with_the_nearest():
    with pytest.raises(BadInput, match="did you mean 'pieces'"):
        DistilSettings(method="piece")


@pytest.mark.parametrize(
    "settings", [{"width": -1}, {"sif": -0.1}, {"remove_top": -1}, {"words": 0}, {"least": 0}, {"occurrences": 0}]
)
def test_a_number_out_of_range_is_refused_by_its_name(settings):
    (name,) = settings
    with pytest.raises(BadInput, match=name):
        DistilSettings(**settings)


@pytest.mark.parametrize("settings", [{"width": 0}, {"width": None}, {"sif": 0}, {"occurrences": None}])
def test_what_turns_a_step_off_is_allowed(settings):
    (name,) = settings
    assert getattr(DistilSettings(**settings), name) == settings[name]
