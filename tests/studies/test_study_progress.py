"""The steps of a study are parts of one piece of work, whose time left is that of the whole."""

from contextlib import contextmanager

from wordworth.studies.study_progress import WholeProgress, seconds_of


class Drawn:
    """Progress that keeps its steps: [title, total, done, skipped]."""

    def __init__(self):
        self.steps, self.notes = [], []

    @contextmanager
    def step(self, title, total=None):
        self.steps.append([title, total, 0, 0])
        yield self

    def advance(self, amount=1):
        self.steps[-1][2] += amount

    def skip(self, amount):
        self.steps[-1][3] += amount

    def note(self, message):
        self.notes.append(message)


def run(whole, title, total, *amounts, skipped=0):
    with whole.step(title, total) as step:
        if skipped:
            step.skip(skipped)
        for amount in amounts:
            step.advance(amount)


def test_every_step_begins_where_the_one_before_it_ended_in_seconds_of_the_whole():
    drawn = Drawn()
    whole = WholeProgress(drawn, "syntax", {"reading": 10.0, "training": 30.0})
    run(whole, "reading", 4, 1, 1, 1, 1)
    run(whole, "training", 300, *[1] * 150)
    assert drawn.steps == [
        ["study syntax: reading", 40_000, 10_000, 0],
        ["study syntax: training", 40_000, 15_000, 10_000],
    ]


def test_a_step_that_ended_early_counts_as_done_and_one_that_went_on_for_longer_as_no_more_than_its_part():
    drawn = Drawn()
    whole = WholeProgress(drawn, "syntax", {"reading": 10.0, "training": 30.0})
    run(whole, "reading", 4, 1)
    run(whole, "training", 3, 3, 3)
    assert [step[2:] for step in drawn.steps] == [[2_500, 0], [30_000, 10_000]]


def test_parts_of_an_earlier_call_are_skipped_and_small_amounts_add_up():
    drawn = Drawn()
    run(WholeProgress(drawn, "syntax", {"training": 1.0}), "training", 3_000, *[1] * 1_500, skipped=1_500)
    assert drawn.steps == [["study syntax: training", 1_000, 500, 500]]


def test_a_step_without_a_forecast_is_shown_as_it_is():
    drawn = Drawn()
    run(WholeProgress(drawn, "syntax", {"training": 1.0}), "intervals", 7, 3)
    assert drawn.steps == [["intervals", 7, 3, 0]]


def test_how_long_the_study_takes_is_said_by_step():
    drawn = Drawn()
    WholeProgress(drawn, "syntax", {"reading": 60.0, "training": 240.0, "drawing": 0.1}).announce()
    assert drawn.notes == [
        "As fast as this machine is now, the study takes about 5 min: reading 1 min, training 4 min."
    ]


def test_what_an_earlier_call_has_finished_is_said_and_nothing_where_it_has_not_begun():
    drawn = Drawn()
    whole = WholeProgress(drawn, "syntax", {"training": 240.0})
    whole.announce(0.2)
    whole.announce(61.0)
    takes = "As fast as this machine is now, the study takes about 4 min."
    assert drawn.notes == [takes, f"{takes} Of that an earlier call has finished what took 1 min."]


def test_seconds_are_those_of_the_call_that_has_nothing_to_load(monkeypatch):
    clock = iter([0.0, 5.0, 5.0, 6.0])
    monkeypatch.setattr("wordworth.studies.study_progress.time.perf_counter", lambda: next(clock))
    calls = []
    assert seconds_of(lambda: calls.append(1)) == 1.0
    assert len(calls) == 2
