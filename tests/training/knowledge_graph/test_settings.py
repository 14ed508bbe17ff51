"""Settings out of range are refused before anything is read."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings


@pytest.mark.parametrize("wrong", [{"dimension": 1}, {"margin": 0}, {"learning_rate": 1}, {"negatives": 0}])
def test_numbers_out_of_range_are_refused(wrong):
    with pytest.raises(BadInput, match="out of range"):
        GraphTrainingSettings(**wrong)
