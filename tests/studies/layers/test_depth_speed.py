"""What a text costs up to each layer."""

from wordworth.models.load import load
from wordworth.progress import STILL
from wordworth.studies.layers.depth_speed import milliseconds_by_depth


def test_each_depth_has_its_time():
    times = milliseconds_by_depth(load("mini"), ["a text of a few words"] * 3, STILL)
    assert len(times) == 5
    assert all(time > 0 for time in times)
