"""A damaged record of the batch that a budget chose is one line, and no traceback."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.time_budget import BATCH_FILE, record_batch, recorded_batch


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"batch": "8"}', '{"batch": 0}', '{"batch": true}'])
def test_a_damaged_batch_is_named_with_what_can_be_done(tmp_path, text):
    settings = PretrainingConfig(stores=(), out=tmp_path, budget=60.0, fit_batch=True)
    (tmp_path / BATCH_FILE).write_text(text)
    with pytest.raises(BadInput, match=r"batch\.json.*remove the run's folder"):
        recorded_batch(settings, tmp_path)


def test_the_batch_of_a_run_comes_back(tmp_path):
    settings = PretrainingConfig(stores=(), out=tmp_path, budget=60.0, fit_batch=True)
    assert recorded_batch(settings, tmp_path) is None
    record_batch(16, tmp_path)
    assert recorded_batch(settings, tmp_path) == 16
