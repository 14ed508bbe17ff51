"""Speeds are measured on a few texts of the task itself, for every rung that can be prepared."""

import time
from dataclasses import replace

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.fake_ladder import FakeLearner, FakeRung, constant
from tests.studies.worth.made_up import task

from wordworth.errors import BadInput
from wordworth.studies.worth.rungs import rungs_of
from wordworth.studies.worth.settings import WorthSettings
from wordworth.studies.worth.time_plan import speeds as speeds_module
from wordworth.studies.worth.time_plan.speeds import FITTED, Speeds, measure_learning, measure_reading

REQUESTED = WorthSettings(rungs=("own",))


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("speeds") / "tiny"))


def test_every_rung_that_is_there_has_a_speed_and_one_that_is_not_has_none(encoder):
    made, settings = task(300), WorthSettings(models=(encoder,))
    rungs = rungs_of(made, settings)
    speeds = measure_learning(measure_reading(made, settings.models, 0), made, rungs, settings)
    assert speeds.windowed_seconds > 0
    assert speeds.truncated_seconds == speeds.windowed_seconds  # no text is long
    assert {"tfidf", "random", "tiny", "tfidf+tiny"} <= speeds.fits.keys()
    assert "tiny-static" not in speeds.fits  # it is yet to be made
    assert all(speed.seconds > 0 and speed.labels <= FITTED for speed in speeds.fits.values())
    assert speeds.slowdown >= 1
    assert list(speeds.training) == ["tiny-finetuned"]
    assert speeds.training["tiny-finetuned"].per_token > 0


def test_of_a_very_long_text_the_beginning_is_read_and_its_time_counts_in_proportion(encoder, monkeypatch):
    made = task(60)
    texts = tuple(text if row else "word " * 200_000 for row, text in enumerate(made.examples.first))
    long = replace(made, examples=replace(made.examples, first=texts))
    sizes = list[list[int]]()

    def reading_seconds(_, read, __):
        sizes.append([len(text) for text in read])
        return 1.0

    monkeypatch.setattr(speeds_module, "_reading_seconds", reading_seconds)
    for read in (12, 60):  # without the long text, and with its beginning
        sizes.clear()
        monkeypatch.setattr(speeds_module, "_SAMPLE", read)
        a_row = measure_reading(long, (encoder,), 0).windowed_seconds
        assert len(sizes[0]) == read
        assert sum(sizes[0]) < 40_000
        assert (max(sizes[0]) < 1_000) == (read < 60)
        assert a_row == pytest.approx(sum(map(len, texts)) / sum(sizes[0]) / 60)


def test_an_encoder_in_int8_reads_the_texts_once_more(encoder):
    made = task(60)
    rungs = rungs_of(made, WorthSettings(models=(encoder,), rungs=(f"{encoder}-int8",)))
    assert measure_reading(made, (), 0, rungs).windowed_seconds > 0
    assert measure_reading(made, (), 0).windowed_seconds == 0


def test_an_encoder_that_is_not_here_is_left_to_its_rung_to_report():
    made, settings = task(60), WorthSettings(models=("no-such-encoder",))
    speeds = measure_learning(
        measure_reading(made, settings.models, 0), made, rungs_of(made, settings), WorthSettings()
    )
    assert speeds.windowed_seconds == 0
    assert not speeds.training
    assert "tfidf" in speeds.fits


def test_fits_are_timed_on_vectors_of_cut_texts():
    long_texts = []

    class Listens(FakeRung):
        def prepare(self, made, run_context):
            long_texts.append(run_context.long_texts)
            return FakeLearner(self, made)

    measure_learning(Speeds(), task(60), [Listens("own", "frozen", constant(0.8))], WorthSettings())
    assert long_texts == ["cut"]


def test_a_rung_that_was_asked_for_and_whose_fit_fails_is_left_to_the_ladder():
    class Overflows(FakeRung):
        def prepare(self, *task_and_context):
            return OverflowingLearner(self, task_and_context[0])

    class OverflowingLearner(FakeLearner):
        def fit(self, *_: object):
            raise BadInput("sums overflow", where="the table", mend="scale it down")

    rung = Overflows("own", "static", constant(0.8))
    assert not measure_learning(Speeds(), task(60), [rung], REQUESTED).fits


def test_a_rung_that_was_asked_for_and_cannot_be_prepared_is_the_users_mistake():
    class Refused(FakeRung):
        def prepare(self, *_: object):
            raise BadInput("no such table", where="the table", mend="name another")

    rung = Refused("own", "static", constant(0.8))
    with pytest.raises(BadInput, match="no such table"):
        measure_learning(Speeds(), task(60), [rung], REQUESTED)
    assert not measure_learning(Speeds(), task(60), [rung], WorthSettings()).fits


def test_every_rung_is_reported_once_it_is_measured_or_left_out():
    rungs, reports = rungs_of(task(60), WorthSettings(models=())), list[None]()
    measure_learning(Speeds(), task(60), rungs, WorthSettings(), lambda: reports.append(None))
    assert len(reports) == len(rungs)


def test_a_fit_that_waits_for_the_processor_is_slowed_down():
    class Waits(FakeRung):
        def prepare(self, *task_and_context):
            return WaitingLearner(self, task_and_context[0])

    class WaitingLearner(FakeLearner):
        def fit(self, *rows_and_rng):
            time.sleep(0.05)
            return super().fit(*rows_and_rng)

    rung = Waits("own", "static", constant(0.8))
    assert measure_learning(Speeds(), task(60), [rung], WorthSettings()).slowdown > 5
    assert Speeds().slowdown == 1
