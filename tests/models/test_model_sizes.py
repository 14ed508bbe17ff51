"""Named shapes have the parameters that were published."""

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.lm_heads import MaskedLanguageModelHead, NextSentenceHead
from wordworth.models.model_sizes import shape

UNCASED, CASED = 30_522, 28_996
PUBLISHED = [
    # name, vocabulary, embeddings, one layer, body, body + pooler, with both heads
    ("tiny", UNCASED, 3_972_864, 198_272, 4_369_408, 4_385_920, 4_433_468),
    ("mini", UNCASED, 7_945_728, 789_760, 11_104_768, 11_170_560, 11_267_900),
    ("small", UNCASED, 15_891_456, 3_152_384, 28_500_992, 28_763_648, 29_058_876),
    ("medium", UNCASED, 15_891_456, 3_152_384, 41_110_528, 41_373_184, 41_668_412),
    ("base", UNCASED, 23_837_184, 7_087_872, 108_891_648, 109_482_240, 110_106_428),
    ("base", CASED, 22_665_216, 7_087_872, 107_719_680, 108_310_272, 108_932_934),
    ("large", UNCASED, 31_782_912, 12_596_224, 334_092_288, 335_141_888, 336_226_108),
    ("large", CASED, 30_220_288, 12_596_224, 332_529_664, 333_579_264, 334_661_958),
]


def numbers(*modules):
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


@pytest.mark.parametrize(
    ("name", "vocabulary", "counts"), [(name, pieces, counts) for name, pieces, *counts in PUBLISHED]
)
def test_a_shape_has_the_published_number_of_parameters(name, vocabulary, counts):
    config = BertConfig(vocab_size=vocabulary, **shape(name).fields)
    with torch.device("meta"):
        model, heads = bert(config), [MaskedLanguageModelHead(config), NextSentenceHead(config)]
    body = numbers(model.embedding, model.body)
    found = [numbers(model.embedding), numbers(model.body.layers[0]), body, numbers(model), numbers(model, *heads)]
    assert found == counts


def test_a_shape_can_be_given_as_layers_times_width():
    assert shape("4x256") == shape("mini")
    assert shape("3x32").fields["num_heads"] == 1


@pytest.mark.parametrize("name", ["bass", "0x128", "2x", "2x100"])
def test_a_shape_that_is_none_is_refused_with_a_remedy(name):
    with pytest.raises(BadInput, match=r"such as|multiple|mean"):
        shape(name)
