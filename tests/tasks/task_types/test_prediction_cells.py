"""A cell of predictions that no kind of task can read is refused with its file and line."""

import pytest

from wordworth.errors import BadInput
from wordworth.tasks import task_types
from wordworth.tasks.task_types.prediction_cells import PredictedCell


@pytest.mark.parametrize("kind", ["classification", "regression"])
def test_an_unknown_value_is_refused_where_it_stands(kind):
    with pytest.raises(BadInput) as refused:
        task_types.get(kind).parse_predictions([PredictedCell("neither", "answers.csv, line 3")], ("bad", "good"), ())
    assert refused.value.where == "answers.csv, line 3"
