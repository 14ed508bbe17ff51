"""The settings reach the reader of the rows."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.heads.settings import HeadsSettings


def test_columns_metric_limit_and_seed_reach_the_reader():
    read = HeadsSettings(text="body", label="topic", metric="macro_f1", limit=50, seed=3).read
    assert (read.text, read.label, read.metric, read.limit, read.seed) == ("body", "topic", "macro_f1", 50, 3)


def test_unknown_metrics_are_refused():
    with pytest.raises(BadInput, match="no metric 'accuracies'"):
        _ = HeadsSettings(metric="accuracies").read
