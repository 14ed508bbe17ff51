import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.models.families import family_of
from wordworth.models.families.base import Fields, language_model_head
from wordworth.models.families.bert import BertConfig
from wordworth.models.lm_heads import MaskedLanguageModelHead

ODD = st.none() | st.booleans() | st.text(max_size=3) | st.floats() | st.lists(st.integers(), max_size=2)


def fields(**raw):
    return Fields(raw, "here/config.json")


@given(value=st.integers(-5, 2**26) | ODD, least=st.sampled_from([0, 1, 3]))
def test_a_whole_number_is_read_as_it_is_and_anything_else_is_refused_with_the_file_and_the_field(value, least):
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole and least <= value <= 2**24:
        assert fields(size=value).integer("size", 7, least) == value
        return
    with pytest.raises(BadInput, match="'size'") as told:
        fields(size=value).integer("size", 7, least)
    assert told.value.where == "here/config.json"


@given(value=st.integers(-(2**26), 2**26) | ODD)
def test_a_number_is_read_as_it_is_and_anything_else_is_refused(value):
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and abs(value) <= 2**24:
        assert fields(rate=value).number("rate", 0.1) == value
        return
    with pytest.raises(BadInput, match="'rate'"):
        fields(rate=value).number("rate", 0.1)


def test_a_field_that_is_missing_has_the_usual_value():
    assert (fields().integer("size", 7), fields().number("rate", 0.1), fields().layers("n", 6)) == (7, 0.1, 6)
    assert fields().activation("act", "gelu") == "gelu_erf"
    fields().require("kind", "absolute")


def test_more_layers_than_any_model_has_are_refused_before_they_are_built():
    assert fields(n=96).layers("n", 6) == 96
    with pytest.raises(BadInput, match="no model has more than"):
        fields(n=10**6).layers("n", 6)
    with pytest.raises(BadInput, match="'n' is 0"):
        fields(n=0).layers("n", 6)


def test_an_activation_has_one_name_here_whatever_it_is_called_there():
    assert {fields(act=name).activation("act", "") for name in ("gelu_new", "gelu_fast", "gelu_pytorch_tanh")} == {
        "gelu_tanh"
    }
    with pytest.raises(BadInput, match=r"unknown activation 'glu'.*did you mean 'gelu'"):
        fields(act="glu").activation("act", "")


def test_what_is_implemented_in_one_way_alone_is_refused_in_another():
    fields(kind="absolute").require("kind", "absolute")
    with pytest.raises(BadInput, match="kind 'relative' is not supported, only 'absolute'"):
        fields(kind="relative").require("kind", "absolute")


@pytest.mark.parametrize(
    ("model_type", "name"), [("bert", "BertModel"), ("xlm-roberta", "XLMRobertaModel"), ("gpt2", "GPT2Model")]
)
def test_the_class_of_an_encoder_is_that_of_its_model_type(model_type, name):
    assert family_of(model_type, "").class_of(model_type) == name


def test_a_masked_model_has_berts_head_over_its_vocabulary():
    head = language_model_head(BertConfig(vocab_size=40, hidden_size=8, num_layers=1, num_heads=2), {})
    assert isinstance(head, MaskedLanguageModelHead)
