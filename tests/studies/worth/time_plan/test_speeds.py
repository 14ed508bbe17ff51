"""Speeds are measured on a few texts of the task itself, for every rung that can be prepared."""

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.worth.made_up import task

from wordworth.studies.worth.rungs import rungs_of
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.time_plan.speeds import FITTED, measure_learning, measure_reading


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("speeds") / "tiny"))


def test_every_rung_that_is_there_has_a_speed_and_one_that_is_not_has_none(encoder):
    made, settings = task(300), WorthSettings(models=(encoder,))
    rungs = rungs_of(made, settings)
    speeds = measure_learning(measure_reading(made, settings.models, 0), made, rungs, 0)
    assert speeds.window > 0
    assert speeds.cut == speeds.window  # no text is long
    assert {"tfidf", "random", "tiny", "tfidf+tiny"} <= speeds.fits.keys()
    assert "tiny-static" not in speeds.fits  # it is yet to be made
    assert all(speed.seconds > 0 and speed.labels <= FITTED for speed in speeds.fits.values())
    assert list(speeds.training) == ["tiny-finetuned"]
    assert speeds.training["tiny-finetuned"].per_token > 0


def test_an_encoder_that_is_not_here_is_left_to_its_rung_to_report():
    made, settings = task(60), WorthSettings(models=("no-such-encoder",))
    speeds = measure_learning(measure_reading(made, settings.models, 0), made, rungs_of(made, settings), 0)
    assert speeds.window == 0
    assert not speeds.training
    assert "tfidf" in speeds.fits
