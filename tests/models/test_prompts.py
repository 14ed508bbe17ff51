"""Named prompts: one is chosen by its name, or by what a text is; a model without them is left as it is."""

import numpy as np
import pytest
from tests.models.tiny import write_prompts, write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.prompts import Prompted, prompt_before, prompts_by_role, with_prompt_called, with_prompt_of

TWO = {"query": "the ", "passage": "a "}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return ww.load(write_prompts(write_tiny(tmp_path_factory.mktemp("two") / "tiny"), TWO))


def test_a_prompt_is_chosen_by_its_name(encoder):
    assert encoder.prompts == TWO
    for name, prompt in TWO.items():
        assert encoder.with_prompt(name).prompt == prompt
        assert np.allclose(encoder.with_prompt(name).encode("cab"), encoder.encode(f"{prompt}cab"), atol=1e-6)
    assert encoder.prompt == ""


def test_an_unknown_name_is_refused_with_those_that_there_are(encoder):
    with pytest.raises(BadInput, match=r"no prompt 'querry'; did you mean 'query'\? .*'query', 'passage'"):
        encoder.with_prompt("querry")
    with pytest.raises(BadInput, match="no prompt 'query'; leave it out: this model has no named prompts"):
        Prompted().with_prompt("query")


@pytest.mark.parametrize(
    ("prompts", "query", "document"),
    [
        ({"query": "q ", "document": "d ", "passage": "p "}, "q ", "d "),
        ({"query": "q ", "passage": "p ", "corpus": "c "}, "q ", "p "),
        ({"query": "q ", "document": "", "corpus": "c "}, "q ", "c "),
        ({"query": "q "}, "q ", ""),
        ({"query": "q ", "document": ""}, "q ", ""),
        ({"corpus": "c "}, "", "c "),
    ],
)
def test_each_role_has_its_prompt_where_a_folder_names_one_for_either(prompts, query, document):
    assert prompts_by_role(Prompted(prompt="x ", prompts=prompts)) == {"query": query, "document": document}


@pytest.mark.parametrize("prompts", [{}, {"query": "", "document": ""}, {"default": "x ", "query": ""}, {"sts": "s "}])
def test_a_model_without_prompts_by_role_keeps_its_default(prompts):
    model = Prompted(prompt="x ", prompts=prompts)
    assert prompts_by_role(model) == {}
    assert with_prompt_of("query", {}, model) is model


def test_a_static_table_has_no_prompts(tmp_path):
    (tmp_path / "table.txt").write_text("word 3.0 4.0\n")
    table = ww.load(tmp_path / "table.txt")
    assert (prompts_by_role(table), prompt_before(table)) == ({}, "")
    assert with_prompt_of("query", {"query": "q ", "document": ""}, table) is table
    assert with_prompt_called(None, table) is table
    with pytest.raises(BadInput, match="this model has no named prompts"):
        with_prompt_called("query", table)
