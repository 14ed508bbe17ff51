"""A study keeps to its budget of time: what the verdict needs least is left out first, and it says what."""

import csv
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder
from wordworth.representations.finetuning_settings import QUICK
from wordworth.studies.worth import running_costs
from wordworth.studies.worth.time_plan import speeds
from wordworth.studies.worth.time_plan.scope import Scope
from wordworth.studies.worth.time_plan.speeds import Speeds


def reading(window: float, cut: float, long: float) -> Speeds:
    return Speeds(windowed_seconds=window, truncated_seconds=cut, long_share=long)


def at_once(_: Scope) -> float:
    """A forecast of a machine on which fits take no time."""
    return 0.0


@pytest.mark.parametrize(("seconds_a_row", "rows"), [(0.05, 1_000), (0.1, 700), (0.2, 500), (9.0, 500)])
def test_a_quick_study_leaves_out_rows_until_its_fits_take_about_a_minute_too(seconds_a_row, rows):
    def seconds(scope: Scope) -> float:
        return seconds_a_row * scope.rows

    kept = Scope(1_000).within_a_minute(Speeds(), seconds, tagging=False, limited=False)
    assert kept.rows == rows
    assert Scope(150).within_a_minute(Speeds(), seconds, tagging=False, limited=False).rows == 150
    assert Scope(1_000).within_a_minute(Speeds(), seconds, tagging=False, limited=True).rows == 1_000


@pytest.mark.parametrize(("speed", "rows", "long_texts"), [
    (Speeds(), 1_000, "window"),  # no encoder
    (reading(0.001, 0.001, 0.0), 1_000, "window"),  # quick enough as it is
    (reading(0.03, 0.01, 0.5), 1_000, "cut"),  # the beginnings fit
    (reading(0.15, 0.03, 1.0), 500, "cut"),  # not even these, of all rows
    (reading(0.03, 0.03, 0.0), 500, "window"),  # no text has more than one window
    (reading(3.0, 1.0, 1.0), 200, "cut"),  # never fewer
])  # fmt: skip
def test_of_a_quick_study_windows_are_left_out_before_rows_and_rows_in_steps(speed, rows, long_texts):
    kept = Scope(1_000).within_a_minute(speed, at_once, tagging=False, limited=False)
    assert (kept.rows, kept.long_texts) == (rows, long_texts)


def test_a_limit_that_the_user_set_is_kept_and_words_to_tag_are_all_read():
    slow = reading(0.15, 0.03, 1.0)
    assert Scope(1_000).within_a_minute(slow, at_once, tagging=False, limited=True).rows == 1_000
    assert Scope(300).within_a_minute(slow, at_once, tagging=True, limited=False).long_texts == "window"
    assert Scope(150).within_a_minute(slow, at_once, tagging=False, limited=False).rows == 150


@pytest.mark.parametrize("test_rows", [250, 500, 5_000])
def test_rows_of_a_test_file_count_neither_as_rows_to_leave_out_nor_against_those_to_learn_from(test_rows):
    scope = Scope(1_000, test_rows=test_rows).within_a_minute(
        reading(0.014, 0.014, 0.0), at_once, tagging=False, limited=False
    )
    assert (scope.rows, scope.test_rows) == (1_000, test_rows)
    few = Scope(300, test_rows=test_rows).within_a_minute(reading(1.0, 1.0, 0.0), at_once, tagging=False, limited=False)
    assert (few.rows, few.test_rows) == (200, test_rows)


def seconds_of(scope: Scope) -> float:
    """A made-up forecast: a second a row, twice in windows, with a hundred for each other part."""
    tuned = (
        0 if scope.finetune is None else 100 * (1 if scope.few_runs else 3) * (0.2 if scope.finetune == QUICK else 1)
    )
    return scope.rows * (2 if scope.long_texts == "window" else 1) + 100 * scope.distil + tuned


def within(budget: float, rows: int = 1_000, **choices) -> Scope:
    fitting = {"truncate": True, "limited": False, "named": False} | choices
    return Scope(rows).within(budget, seconds_of, **fitting)


def test_windows_go_first_then_runs_tables_and_steps_of_fine_tuning_and_rows_last():
    assert within(2_400) == Scope(1_000)
    assert within(1_400).omissions(Scope(1_000)) == [
        "encoders read only the beginning of texts longer than they read at once"
    ]
    assert within(1_200).few_runs
    assert within(1_200).distil
    assert not within(1_100).distil
    assert within(1_100).finetune != QUICK
    assert within(1_020).finetune == QUICK
    assert within(1_020).rows == 1_000
    assert within(900).rows == 800


def test_what_the_user_named_is_kept_however_long_it_takes():
    assert within(10, limited=True).rows == 1_000
    assert within(10, named=True).distil
    assert within(10, truncate=False).long_texts == "window"


@given(st.floats(1, 30_000), st.floats(1, 30_000), st.integers(1, 12_000))
def test_more_time_never_leaves_more_out_and_a_scope_fits_unless_it_is_the_smallest(first, second, rows):
    less, more = (within(budget, rows) for budget in sorted((first, second)))
    assert seconds_of(less) <= seconds_of(more)
    assert less.rows <= more.rows
    assert seconds_of(less) <= min(first, second) or less == within(0, rows)


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("quick") / "tiny"))


def posts(path, count=400, words=120):
    rng = np.random.default_rng(0)
    rows = [("good" if at % 2 else "bad", " ".join(rng.choice(["the", "film", "was"], words))) for at in range(count)]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows((f"{label} {text} {at}", label) for at, (label, text) in enumerate(rows))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("texts_a_second", [0.2, 20.0])
def test_what_a_slow_encoder_leaves_out_is_on_screen_in_the_record_and_on_the_page(
    encoder, tmp_path, monkeypatch, texts_a_second
):
    monkeypatch.setattr(
        speeds, "_reading_seconds", lambda _, texts, how: len(texts) / texts_a_second / (1 + (how == "cut"))
    )
    data, out = posts(tmp_path / "posts.csv"), tmp_path / "out"
    record = ww.worth(
        data, models=[encoder], rungs=["tfidf", "tiny"], finetune=False, quick=True, seeds=2, draws=100, out=out
    )
    said = record.finding("warning.quick").text
    assert "encoders read only the beginning of texts longer" in said
    slow = texts_a_second < 1
    assert ("rows were left out" in said) == slow
    assert record.data["test"] == (200 if slow else 400)  # every row is a test row
    assert said.split(":")[0] in (out / "report.html").read_text()


@pytest.mark.slow
def test_a_quick_study_of_a_quick_encoder_leaves_nothing_out(encoder, tmp_path):
    data = posts(tmp_path / "posts.csv", count=60, words=5)
    record = ww.worth(data, models=[encoder], finetune=False, quick=True, seeds=2, draws=100)
    assert not [one for one in record.warnings if one.name == "warning.quick"]


@pytest.mark.slow
def test_a_study_that_would_take_longer_than_its_budget_leaves_out_and_says_so(encoder, tmp_path, caplog):
    data, out = posts(tmp_path / "posts.csv", count=60, words=5), tmp_path / "out"
    with caplog.at_level("INFO", logger="wordworth"):
        record = ww.worth(data, models=[encoder], budget="1s", seeds=2, draws=100, out=out)
    warning = record.finding("warning.budget")
    assert warning.text.startswith(
        "1s is too little on this machine: although fine-tuned rungs had one run, on all labels; no static table was "
        "made of the encoder; fine-tuning had fewer steps, and read less of long texts, the study takes about "
    )
    assert "fine-tuned rungs had one run" in (out / "report.html").read_text()
    rungs = list(record.tables["runs"].columns["rung"])
    assert rungs.count("tiny-finetuned") == 1
    assert "tiny-static" not in rungs
    assert any(", the study takes about" in message for message in caplog.messages)
    assert record.timings["forecast"]["in all"] > 1


@pytest.mark.slow
def test_without_a_budget_a_study_leaves_nothing_out(encoder, tmp_path):
    data = posts(tmp_path / "posts.csv", count=60, words=5)
    record = ww.worth(data, models=[encoder], budget="none", seeds=2, draws=100)
    assert not [finding for finding in record.warnings if finding.name == "warning.budget"]
    assert "tiny-static" in record.tables["runs"].columns["rung"]


@pytest.mark.parametrize("budget", ["soon", "-1m", "", "15"])
def test_a_budget_that_is_no_duration_is_refused(budget, tmp_path):
    data = posts(tmp_path / "posts.csv", count=60, words=5)
    with pytest.raises(ww.BadInput, match=r"30m, 1\.5h or 90s"):
        ww.worth(data, budget=budget)


def test_of_texts_cut_an_encoder_reads_the_beginning_in_every_layer(encoder):
    found = load(encoder)
    long, limit = "good film " * 400, found.max_length
    assert found.lengths(found.tokenizer.encode([long])).windowed == 1
    cut, whole = (found.pooled_layers([long], long_texts=how) for how in ("cut", "window"))
    assert cut.shape == whole.shape
    assert not np.allclose(cut, whole, atol=1e-6)
    again = found.pooled_layers([long + " bad" * limit], long_texts="cut")
    assert np.allclose(cut, again, atol=1e-5)
    assert isinstance(found, TextEncoder)


def test_answers_of_long_texts_are_timed_on_as_many_as_fit_the_time(monkeypatch):
    taken, clock = [], SimpleNamespace(now=0.0)
    monkeypatch.setattr(running_costs.time, "perf_counter", lambda: clock.now)

    @dataclass
    class Slow:
        seconds: float

        def predict_texts(self, examples):
            taken.append(len(examples))
            clock.now += self.seconds * len(examples)

    class Texts(list):
        def take(self, rows):
            return Texts(rows)

    assert len(running_costs.as_many_as_fit(1.0, Slow(0.05), Texts(range(512)))) == 20
    assert len(running_costs.as_many_as_fit(1.0, Slow(1e-5), Texts(range(512)))) == 512
    assert max(taken) == 8
