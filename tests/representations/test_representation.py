from dataclasses import dataclass

import numpy as np
import pytest

from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost
from wordworth.tasks.task import Examples


@dataclass(frozen=True)
class Length(Representation):
    """A representation that defines what it must and nothing else."""

    def kinds(self):
        return frozenset({"classification"})

    def views(self, examples, run_context):  # noqa: ARG002 - a Representation
        return {"length": np.array([[len(text)] for text in examples.first])}

    def cost(self):
        return Cost(disk_bytes=0, parameters=0, num_features=1)


@pytest.mark.parametrize("learn", [Length.fit, Length.prepare, lambda one, _: one.forget()])
def test_a_representation_that_learns_nothing_stays_itself(learn):
    one = Length()
    assert learn(one, Examples(("a", "b"))) is one


def test_what_says_nothing_else_is_frozen_reads_no_context_and_has_neither_window_nor_vocabulary():
    length, texts = Length(), Examples(("a" * 100_000, "b", ""))
    assert (length.frozen, length.contextual) == (True, False)
    assert length.exceeds_window(texts).tolist() == [False, False, False]
    assert length.vocabulary_coverage(texts) is None


@pytest.mark.parametrize("missing", ["kinds", "views", "cost"])
def test_without_one_of_its_three_methods_it_is_none(missing):
    methods = {name: getattr(Length, name) for name in ("kinds", "views", "cost") if name != missing}
    with pytest.raises(TypeError, match=missing):
        type("Half", (Representation,), methods)()
