"""The forecast of the study: seconds for each of its steps, those of the plane by its points."""

import pytest

from wordworth.studies.finetuning_changes import time_forecast
from wordworth.studies.finetuning_changes.loss_landscape import losses_needed
from wordworth.studies.finetuning_changes.read_models import read_models
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings


def test_every_step_has_seconds_and_each_point_of_the_plane_counts(run, monkeypatch):
    monkeypatch.setattr(time_forecast, "seconds_of", lambda work: (work(), 1.0)[1])
    models = read_models(run, None, FinetuningChangesSettings(limit=40))
    plain, plane = (time_forecast.forecast(models, points) for points in (0, 9))
    assert len(plain) == 5
    assert min(plain.values()) > 0
    of_all = len(models.unseen.used) / 16
    assert plane[time_forecast.LOSSES] == pytest.approx(of_all * losses_needed(models, 9))
    assert {name: plane[name] for name in plane if name != time_forecast.LOSSES} == {
        name: plain[name] for name in plain if name != time_forecast.LOSSES
    }
