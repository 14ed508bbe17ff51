"""Rungs that train an encoder are of one kind, whose time a study forecasts from a brief run."""

from __future__ import annotations

import numpy as np
import pytest

from wordworth.representations.encoder_training_rung import TrainedEncoderRung
from wordworth.representations.few_shot import FewShot
from wordworth.representations.finetuned_encoder import FineTuned

LENGTHS = np.full(400, 20, dtype=np.int64)


@pytest.mark.parametrize("rung", [FineTuned("minilm"), FewShot("minilm")])
def test_a_rung_that_trains_an_encoder_can_be_tried_in_a_brief_run(rung):
    assert isinstance(rung, TrainedEncoderRung)
    assert (rung.slow, rung.contextual, rung.family) == (True, True, "finetuned")
    brief = rung.brief(8)
    assert brief.settings.plan(LENGTHS).steps < rung.settings.plan(LENGTHS).steps
    assert brief.settings.batch_size == 8


def test_a_rung_without_a_brief_run_is_refused():
    class Unfinished(TrainedEncoderRung):
        def kinds(self):
            return frozenset({"classification"})

    with pytest.raises(TypeError, match="brief"):
        Unfinished()
