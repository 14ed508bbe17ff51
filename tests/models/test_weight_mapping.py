"""Name tables lose nothing: there and back is the identity, and every tensor's fate is told."""

import pytest
import torch
from tests.models.google_names import GOOGLE_BERT
from tests.models.tiny import PIECES, SETTINGS, loud_

from wordworth.models.families import FAMILIES, family_of
from wordworth.models.families.base import Fields
from wordworth.models.families.bert import BERT, BertConfig, bert
from wordworth.models.lm_heads import MaskedLanguageModelHead, NextSentenceHead
from wordworth.models.weight_mapping import WeightMap

KERNELS = {  # of one layer, [in, out] there and [out, in] here; the others are outside layers
    "bert/encoder/layer_{}/attention/self/query/kernel": "bert.encoder.layer.{}.attention.self.query.weight",
    "bert/encoder/layer_{}/attention/self/key/kernel": "bert.encoder.layer.{}.attention.self.key.weight",
    "bert/encoder/layer_{}/attention/self/value/kernel": "bert.encoder.layer.{}.attention.self.value.weight",
    "bert/encoder/layer_{}/attention/output/dense/kernel": "bert.encoder.layer.{}.attention.output.dense.weight",
    "bert/encoder/layer_{}/intermediate/dense/kernel": "bert.encoder.layer.{}.intermediate.dense.weight",
    "bert/encoder/layer_{}/output/dense/kernel": "bert.encoder.layer.{}.output.dense.weight",
}
OUTSIDE = {
    "bert/pooler/dense/kernel": "bert.pooler.dense.weight",
    "cls/predictions/transform/dense/kernel": "cls.predictions.transform.dense.weight",
}
SMALL = BertConfig(vocab_size=20, hidden_size=8, num_layers=12, num_heads=2, intermediate_size=16, max_positions=10)


def pretraining_tensors() -> dict[str, torch.Tensor]:
    """All of a pretraining checkpoint under our names, twelve layers deep.

    No number stands twice in it: even a square matrix is not its own transpose.
    """
    model, mlm, nsp = bert(SMALL), MaskedLanguageModelHead(SMALL), NextSentenceHead(SMALL)
    heads = {f"heads.mlm.{name}": value for name, value in mlm.state_dict().items()}
    tensors = model.state_dict() | heads | {f"heads.nsp.{name}": value for name, value in nsp.state_dict().items()}
    sizes = [value.numel() for value in tensors.values()]
    values = torch.arange(sum(sizes), dtype=torch.float32).split(sizes)  # all below 2 ** 24, where float32 counts
    return {name: one.view(like.shape) for (name, like), one in zip(tensors.items(), values, strict=True)}


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def test_a_base_checkpoint_has_206_names_there_and_back():
    tensors = pretraining_tensors()
    theirs = BERT.table.to_checkpoint(tensors, prefix="bert.")
    assert len(theirs) == 206
    parts = [theirs[f"bert.encoder.layer.7.attention.self.{part}.weight"] for part in ("query", "key", "value")]
    assert torch.equal(torch.cat(parts), tensors["body.layers.7.attention.qkv.weight"])
    ours, report = BERT.table.from_checkpoint(theirs, bert(SMALL).state_dict())
    assert same(ours, tensors)
    assert report.missing == report.unexpected == report.ignored == ()
    assert (len(report.loaded), len(report.heads), report.prefix) == (199, 7, "bert.")


def test_googles_names_are_turned_where_kernels_are_and_nowhere_else():
    tensors = pretraining_tensors()
    google, hf = GOOGLE_BERT.to_checkpoint(tensors, prefix="bert/"), BERT.table.to_checkpoint(tensors, prefix="bert.")
    kernels = OUTSIDE | {one.format(n): other.format(n) for one, other in KERNELS.items() for n in range(12)}
    assert {name for name in google if name.endswith("kernel")} == set(kernels)
    assert all(torch.equal(google[name].T, hf[other]) for name, other in kernels.items())
    assert google["bert/encoder/layer_7/intermediate/dense/kernel"].shape == (8, 16)
    rest = [value for name, value in hf.items() if name not in kernels.values()]
    assert [value.tolist() for name, value in google.items() if name not in kernels] == [one.tolist() for one in rest]


def test_googles_checkpoint_there_and_back_is_the_same_and_its_optimisers_numbers_are_left_aside():
    tensors = pretraining_tensors()
    google = GOOGLE_BERT.to_checkpoint(tensors, prefix="bert/")
    assert len(google) == 206
    google |= {"global_step": torch.zeros(1), "bert/pooler/dense/kernel/adam_m": torch.zeros(1)}
    ours, report = GOOGLE_BERT.from_checkpoint(google, bert(SMALL).state_dict())
    assert same(ours, tensors)
    assert sorted(report.ignored) == ["bert/pooler/dense/kernel/adam_m", "global_step"]


@pytest.mark.parametrize("model_type", SETTINGS)
@pytest.mark.parametrize("prefixed", [False, True])
def test_every_family_goes_there_and_back(model_type, prefixed):
    family = family_of(model_type, "")
    model = family.build(family.read(Fields({"vocab_size": len(PIECES), **SETTINGS[model_type]}, "")))
    loud_(model)
    prefix = family.table.prefix if prefixed else ""
    theirs = family.table.to_checkpoint(model.state_dict(), prefix=prefix)
    ours, report = family.table.from_checkpoint(theirs, model.state_dict())
    assert same(ours, model.state_dict())
    assert (report.missing, report.unexpected, report.prefix) == ((), (), prefix)
    assert set(report.loaded) == set(theirs)


def test_norms_under_their_first_names_gamma_and_beta_are_understood():
    model = bert(SMALL)
    old = {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
        for name, value in BERT.table.to_checkpoint(model.state_dict()).items()
    }
    assert "embeddings.LayerNorm.gamma" in old
    ours, report = BERT.table.from_checkpoint(old, model.state_dict())
    assert same(ours, model.state_dict())
    assert report.loaded["embeddings.LayerNorm.gamma"]


def test_every_tensors_fate_is_told():
    model = bert(SMALL)
    theirs = BERT.table.to_checkpoint(model.state_dict())
    del theirs["encoder.layer.3.attention.self.key.bias"]
    theirs |= {name: torch.zeros(1) for name in ("embeddings.position_ids", "lora.A", "classifier.weight")}
    _, report = BERT.table.from_checkpoint(theirs, model.state_dict())
    assert report.missing == ("encoder.layer.3.attention.self.key.bias",)
    assert set(report.unexpected) >= {"lora.A"}
    assert report.ignored == ("embeddings.position_ids",)
    assert report.heads == ("classifier.weight",)
    fates = {name: fate for fate, name, _ in report.rows()}
    assert set(fates) == set(theirs) | set(report.missing)


def test_no_row_of_any_table_stands_twice():
    families = [FAMILIES.get(name) for name in FAMILIES.names()]
    tables = [family.table for family in families if isinstance(family.table, WeightMap)]
    for table in (*tables, GOOGLE_BERT):
        rows = [*table.all_rows(2), *table.head_rows]
        for names in ([row.ours for row in rows], [name for row in rows for name in row.theirs]):
            assert len(names) == len(set(names))
