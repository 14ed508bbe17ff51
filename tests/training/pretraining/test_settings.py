import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.training.pretraining.recipe import MODERN, recipe
from wordworth.training.pretraining.settings import AdaptSettings, PretrainSettings, RunSettings, changes_of


@given(
    rate=st.floats(1e-6, 1e-2),
    biases=st.booleans(),
    lengths=st.tuples(st.integers(8, 64), st.integers(65, 512)),
    size=st.integers(1, 4_096),
)
def test_changes_of_a_recipe_mean_the_same_as_values_and_as_the_command_line_writes_them(rate, biases, lengths, size):
    values = {"learning_rate": rate, "biases": biases, "lengths": lengths, "batch_size": size}
    changed = recipe("modern", changes_of(values))
    assert changed == dataclasses.replace(MODERN, **values)
    assert changes_of(list(changes_of(values))) == changes_of(values)


@pytest.mark.parametrize("kind", [RunSettings, PretrainSettings, AdaptSettings])
@pytest.mark.parametrize(
    "wrong", [{"sampling": -1.0}, {"threads": 0}, {"checkpoint_minutes": -1.0}, {"dtype": "float16"}], ids=str
)
def test_a_value_out_of_range_is_refused_by_its_name(kind, wrong):
    (name,) = wrong
    with pytest.raises(BadInput, match=name.replace("_", ".")):
        kind(**wrong)


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        (PretrainSettings, {"recipe": "ancient"}),
        (PretrainSettings, {"evals": 0}),
        (PretrainSettings, {"micro_batch_tokens": 0}),
        (AdaptSettings, {"vocabulary": "burn"}),
        (AdaptSettings, {"evals": 0}),
    ],
    ids=str,
)
def test_settings_of_one_function_alone_are_checked_too(kind, wrong):
    (name,) = wrong
    with pytest.raises(BadInput, match=name):
        kind(**wrong)


def test_adapting_has_all_that_a_run_has():
    run = {field.name for field in dataclasses.fields(RunSettings)}
    for kind in (PretrainSettings, AdaptSettings):
        assert run < {field.name for field in dataclasses.fields(kind)}
