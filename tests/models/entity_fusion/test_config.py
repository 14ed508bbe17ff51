"""A config with entities is a BERT's with sizes that fit each other."""

from dataclasses import replace

import pytest

from wordworth.models.entity_fusion.config import EntityBertConfig

CONFIG = EntityBertConfig(num_layers=2, entities=("Q1", "Q2"), entity_size=8, entity_heads=4)


def test_it_is_a_bert_of_a_type_of_its_own_that_is_continued_as_a_bert():
    assert (CONFIG.model_type, CONFIG.architecture, CONFIG.reads) == ("wordworth-entity-bert", "bert", "masked")
    assert "Q1" not in repr(CONFIG)


@pytest.mark.parametrize(
    "changes", [{"norm": "pre"}, {"causal": True}, {"fused_layers": 3}, {"fused_layers": 0}, {"entity_heads": 3}]
)
def test_what_does_not_fit_is_refused(changes):
    with pytest.raises(ValueError, match=r"entit|fused"):
        replace(CONFIG, **changes)
