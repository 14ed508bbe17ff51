"""BERT as published: its sizes, and how badly a fresh one guesses."""

import math

import pytest
import torch
from tests.models.small_bert import VARIANTS, made

from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.lm_heads import MaskedLanguageModelHead, NextSentenceHead
from wordworth.models.transformer import init_weights


def parameters(*modules: torch.nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


SIZES = [  # layers, width, vocabulary: embeddings, a layer, body, with pooler, with heads
    (2, 128, 30_522, 3_972_864, 198_272, 4_369_408, 4_385_920, 4_433_468),
    (4, 256, 30_522, 7_945_728, 789_760, 11_104_768, 11_170_560, 11_267_900),
    (4, 512, 30_522, 15_891_456, 3_152_384, 28_500_992, 28_763_648, 29_058_876),
    (8, 512, 30_522, 15_891_456, 3_152_384, 41_110_528, 41_373_184, 41_668_412),
    (12, 768, 30_522, 23_837_184, 7_087_872, 108_891_648, 109_482_240, 110_106_428),
    (12, 768, 28_996, 22_665_216, 7_087_872, 107_719_680, 108_310_272, 108_932_934),
    (24, 1024, 30_522, 31_782_912, 12_596_224, 334_092_288, 335_141_888, 336_226_108),
    (24, 1024, 28_996, 30_220_288, 12_596_224, 332_529_664, 333_579_264, 334_661_958),
]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}-{size[2]}")
def test_every_published_size_has_its_number_of_parameters(size):
    layers, width, vocabulary, *expected = size
    config = BertConfig(
        vocab_size=vocabulary,
        hidden_size=width,
        num_layers=layers,
        num_heads=width // 64,
        intermediate_size=4 * width,
    )
    with torch.device("meta"):
        model, mlm, nsp = bert(config), MaskedLanguageModelHead(config), NextSentenceHead(config)
    table, layer, both = parameters(model.embedding), parameters(model.body.layers[0]), parameters(model)
    pooler = parameters(model.pooler)
    assert [table, layer, both - pooler, both, both + parameters(mlm, nsp)] == expected


def test_a_fresh_bert_guesses_as_badly_as_it_should():
    config = BertConfig(hidden_size=128, num_layers=2, num_heads=2, intermediate_size=512)
    model, mlm, nsp = bert(config).eval(), MaskedLanguageModelHead(config), NextSentenceHead(config)
    for number, part in enumerate((model, mlm, nsp)):
        init_weights(part, 0.02, torch.Generator().manual_seed(number))
    ids = torch.randint(0, 30_522, (640,), generator=torch.Generator().manual_seed(9))
    starts = torch.arange(0, 641, 32, dtype=torch.int32)
    with torch.no_grad():
        states = model(Batch(ids, torch.zeros_like(ids), starts))
        guesses = mlm(states, model.embedding.word.weight)
        loss = torch.nn.functional.cross_entropy(guesses, ids.flip(0))
        follows = nsp(model.pool(states, starts))
        doubt = torch.nn.functional.cross_entropy(follows, torch.arange(20) % 2)
    assert float(loss) == pytest.approx(math.log(30_522) + 128 * 0.01759**2 / 2, abs=0.03)
    assert float(doubt) == pytest.approx(0.69, abs=0.05)


def test_a_model_without_pooler_says_so():
    model = made(VARIANTS["no-segments"])
    with pytest.raises(LookupError, match="no pooler"):
        model.pool(torch.zeros(3, 32), torch.tensor([0, 3]))
