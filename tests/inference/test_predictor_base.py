"""What the metadata of a run's folder say of its model."""

from dataclasses import dataclass, field

import pytest

from wordworth.errors import BadInput
from wordworth.inference.predictor_base import PredictorBase, require_frozen_dtype

FACTS = {"kind": "pair_classification", "classes": ["no", "yes"], "second": True, "columns": ["a", "b"]}


@dataclass
class Predictor(PredictorBase):
    facts: dict = field(default_factory=lambda: dict(FACTS))
    dtype: str = "float32"

    def answers(self, examples):
        return [{} for _ in examples]


def test_facts_are_read_from_the_metadata():
    predictor = Predictor()
    assert predictor.pairs
    assert (predictor.classes, predictor.columns) == (("no", "yes"), ("a", "b"))
    assert not predictor.reads_neighbours
    assert not predictor.predicts_no_answer
    assert predictor.learned_from == frozenset()
    assert Predictor(FACTS | {"context": 2, "threshold": 0.5}).reads_neighbours


def test_a_kind_without_pairs_reads_one_text():
    assert not Predictor(FACTS | {"kind": "tagging"}).pairs


def test_a_row_without_a_text_has_no_values():
    assert Predictor().without_text({"label": "yes"}) == {"label": None}


def test_frozen_features_are_float32():
    require_frozen_dtype("auto")
    with pytest.raises(BadInput, match="frozen features are read in float32"):
        require_frozen_dtype("bfloat16")
