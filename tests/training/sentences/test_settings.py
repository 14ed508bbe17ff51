"""Settings that cannot be used are refused with their remedy."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.sentences.settings import SentenceTrainingSettings, require_known


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"loss": "rankin"}, "no loss 'rankin'.*did you mean 'ranking'"),
        ({"dev": 0.9}, "0.9 is out of range"),
        ({"dev": "20%"}, "out of range"),
        ({"concatenation": ("u", "w")}, "no part 'w'"),
        ({"matryoshka": "64,x"}, "'64,x' are no widths"),
        ({"matryoshka": (0,)}, "are no widths"),
        ({"batch_size": 0}, "batch_size. 0 is out of range"),
        ({"batch_size": 1}, "batch_size.: the loss ranking tells .* other rows, and a batch has 1; give 2 or more"),
        ({"learning_rate": 2}, "learning_rate. 2 is out of range"),
        ({"max_length": 3}, "max_length. 3 is out of range"),
        ({"prompt": "", "query_prompt": "q: "}, "query_prompt.: .prompt. stands before every text.*not both"),
        ({"prompt": "x", "document_prompt": ""}, "document_prompt.: .prompt. stands before every text.*not both"),
        ({"loss": "mse", "layers": 1, "query_prompt": "q: "}, "query_prompt.: the loss mse learns from single texts"),
    ],
)
def test_a_setting_out_of_range_is_refused(choices, message):
    with pytest.raises(BadInput, match=message):
        SentenceTrainingSettings(**choices)


@pytest.mark.parametrize("written", ["128,64", ("64", "128"), (128, 64, 64)])
def test_widths_are_read_as_they_are_written(written):
    assert SentenceTrainingSettings(matryoshka=written).widths == (64, 128)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"model": "no such model"}, "no such model"),
        ({"model": "glove"}, "'glove' is a table of vectors and cannot be trained"),
        ({"model": "mini", "pooling": "meen"}, "no pooling 'meen'"),
        ({"model": "mini", "device": "tpu"}, "tpu"),
    ],
)
def test_unknown_names_are_refused_before_anything_is_read(choices, message):
    with pytest.raises(BadInput, match=message):
        require_known(SentenceTrainingSettings(**choices))


@pytest.mark.parametrize(
    ("choices", "prompts"),
    [
        ({}, None),
        ({"prompt": "x"}, {}),
        ({"query_prompt": "q: "}, {"query": "q: ", "document": ""}),
        ({"query_prompt": "q: ", "document_prompt": "d: "}, {"query": "q: ", "document": "d: "}),
    ],
)
def test_prompts_by_role_are_those_of_the_settings_or_none_for_those_of_the_checkpoint(choices, prompts):
    assert SentenceTrainingSettings(**choices).prompts == prompts
