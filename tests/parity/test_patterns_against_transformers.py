"""Streamed statistics equal the obvious ones from the whole attention maps of transformers, in every family."""

import numpy as np
import pytest
import torch

from wordworth.models.families import family_of
from wordworth.models.families.base import Fields
from wordworth.progress import SILENT
from wordworth.studies.attention_patterns.head_attention_sums import MEASURES, REACH, head_sums
from wordworth.studies.attention_patterns.token_segments import Kinds
from wordworth.text.tokens import Tokens

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.peers

BERT_LIKE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 48}
SIZES = {"vocab_size": 41, "max_position_embeddings": 26}
CASES = {
    "bert": ("BertConfig", {**BERT_LIKE, **SIZES}),
    "roberta": ("RobertaConfig", {**BERT_LIKE, **SIZES, "type_vocab_size": 1, "pad_token_id": 1}),
    "distilbert": ("DistilBertConfig", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48, **SIZES}),
    "gpt2": ("GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 26, "vocab_size": 41}),
}
SEPARATOR, COMMA = 7, 9


class PlainKinds:
    """Token 7 separates, token 9 is a comma."""

    def of(self, tokens):
        separator = tokens.ids == SEPARATOR
        first = np.arange(len(tokens)) == 0
        return Kinds(separator, separator | first, tokens.ids == COMMA)


def both(case):
    """The same random model twice, with weights large enough for attention that is far from uniform."""
    config_name, settings = CASES[case]
    torch.manual_seed(0)
    config = getattr(transformers, config_name)(**settings)
    theirs = transformers.AutoModel.from_config(config, attn_implementation="eager").eval()
    for parameter in theirs.parameters():
        parameter.data = parameter.data + 0.3 * torch.randn(parameter.shape)
    family = family_of(config.model_type, "")
    ours = family.build(family.read(Fields(theirs.config.to_dict(), "")))
    tensors, _ = family.table.from_checkpoint(theirs.state_dict(), ours.state_dict())
    ours.load_state_dict(tensors)
    return theirs, ours.eval()


def segments():
    rng = np.random.default_rng(0)
    found = []
    for length in (5, 17, 12, 20):
        ids = rng.integers(10, 41, length)
        ids[-1], ids[length // 2] = SEPARATOR, COMMA
        plain = np.zeros(length, np.int64)
        found.append(Tokens(ids, plain, np.zeros((length, 2), np.int32), plain.astype(np.int32)))
    return found


def obvious(maps, tokens, reach):
    """Every statistic by a loop over heads, tokens and tokens."""
    number, heads = len(tokens), len(maps)
    found = {name: np.zeros(heads) for name in MEASURES}
    offsets = np.zeros((heads, 2 * reach + 1))
    for head, attention in enumerate(maps):
        for row in range(number):
            weights = 0.9999 * attention[row] + 0.0001 / number
            spread = -sum(weight * np.log(weight) for weight in weights)
            found["entropy"][head] += spread
            found["entropy_first"][head] += spread if row == 0 else 0
            for column in range(number):
                weight, is_separator = attention[row, column], tokens.ids[column] == SEPARATOR
                found["first"][head] += weight * (column == 0)
                found["separator"][head] += weight * is_separator
                found["special"][head] += weight * (is_separator or column == 0)
                found["punctuation"][head] += weight * (tokens.ids[column] == COMMA)
                for name, offset in (("self", 0), ("previous", -1), ("next", 1)):
                    found[name][head] += weight * (column - row == offset)
                if abs(column - row) <= reach:
                    offsets[head, column - row + reach] += weight
            kept = [c for c in range(1, number) if tokens.ids[c] != SEPARATOR]
            if row in kept:
                best = max(kept, key=lambda column: attention[row, column])
                found["positional_previous"][head] += best == row - 1
                found["positional_next"][head] += best == row + 1
    return np.array([found[name] for name in MEASURES]), offsets


def divergence(maps):
    """Jensen-Shannon divergence of all pairs by its definition, summed over rows."""
    weights = 0.999 * maps + 0.001 / maps.shape[-1]
    middle = (weights[:, None] + weights) / 2
    kl = (weights[:, None] * np.log(weights[:, None] / middle)).sum((-1, -2))
    return (kl + kl.T) / 2


@pytest.mark.parametrize("case", CASES)
def test_statistics_equal_the_obvious_ones(case):
    theirs, ours = both(case)
    read = segments()
    with SILENT.step("reading", len(read)) as step:
        streamed = head_sums(ours, read, PlainKinds(), step)
    apart, offsets = np.zeros(()), np.zeros(())
    for number, tokens in enumerate(read):
        with torch.inference_mode():
            layers = theirs(torch.from_numpy(tokens.ids)[None], output_attentions=True).attentions
        maps = torch.cat([layer[0] for layer in layers]).double().numpy()
        sums, at_offsets = obvious(maps, tokens, REACH)
        assert np.abs(streamed.sums[number] - sums).max() / len(tokens) < 1e-5
        apart, offsets = apart + divergence(maps), offsets + at_offsets
    total = sum(map(len, read))
    assert np.abs(streamed.divergences - apart / total).max() < 1e-5
    present = np.array([sum(max(0, len(t) - abs(o)) for t in read) for o in range(-REACH, REACH + 1)])
    assert np.abs(streamed.offsets - offsets / present).max() < 1e-5
