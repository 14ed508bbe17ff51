"""A quick study keeps to its minute: by the encoder's rate it reads fewer windows, then fewer rows, and says so."""

import csv
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.models.load import load
from wordworth.models.text_encoder import TextEncoder
from wordworth.studies.worth import costs, quick
from wordworth.studies.worth.quick import Rates, reduced


@pytest.mark.parametrize(("rates", "rows", "long_texts"), [
    (None, 1_000, "window"),  # no encoder
    (Rates(0.001, 0.001, 0.0), 1_000, "window"),  # quick enough as it is
    (Rates(0.03, 0.01, 0.5), 1_000, "cut"),  # the beginnings fit
    (Rates(0.15, 0.03, 1.0), 500, "cut"),  # not even these, of all rows
    (Rates(0.03, 0.03, 0.0), 500, "window"),  # no text has more than one window
    (Rates(3.0, 1.0, 1.0), 200, "cut"),  # never fewer
])  # fmt: skip
def test_windows_are_left_out_before_rows_and_rows_in_steps(rates, rows, long_texts):
    kept = reduced(1_000, rates, tagging=False, limited=False)
    assert (kept.rows, kept.long_texts) == (rows, long_texts)


def test_a_limit_that_the_user_set_is_kept_and_words_to_tag_are_all_read():
    slow = Rates(0.15, 0.03, 1.0)
    assert reduced(1_000, slow, tagging=False, limited=True).rows == 1_000
    assert reduced(300, slow, tagging=True, limited=False).long_texts == "window"
    assert reduced(150, slow, tagging=False, limited=False).rows == 150


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


@pytest.mark.parametrize("texts_a_second", [0.2, 20.0])
def test_what_a_slow_encoder_leaves_out_is_on_screen_in_the_record_and_on_the_page(
    encoder, tmp_path, monkeypatch, texts_a_second
):
    monkeypatch.setattr(quick, "_seconds", lambda _, texts, how: len(texts) / texts_a_second / (1 + (how == "cut")))
    data, out = posts(tmp_path / "posts.csv"), tmp_path / "out"
    record = ww.worth(data, models=[encoder], finetune=False, quick=True, seeds=2, draws=100, out=out)
    said = record.finding("warning.quick").text
    assert "encoders read only the beginning of texts longer" in said
    slow = texts_a_second < 1
    assert ("200 rows of 400 were used" in said) == slow
    assert record.data["test"] == (200 if slow else 400)  # every row is a test row
    assert said.split(":")[0] in (out / "report.html").read_text()


def test_a_quick_study_of_a_quick_encoder_leaves_nothing_out(encoder, tmp_path):
    data = posts(tmp_path / "posts.csv", count=60, words=5)
    record = ww.worth(data, models=[encoder], finetune=False, quick=True, seeds=2, draws=100)
    assert not [one for one in record.warnings if one.name == "warning.quick"]


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
    monkeypatch.setattr(costs.time, "perf_counter", lambda: clock.now)

    @dataclass
    class Slow:
        seconds: float

        def predict_texts(self, examples):
            taken.append(len(examples))
            clock.now += self.seconds * len(examples)

    class Texts(list):
        def take(self, rows):
            return Texts(rows)

    assert len(costs.as_many_as_fit(1.0, Slow(0.05), Texts(range(512)))) == 20
    assert len(costs.as_many_as_fit(1.0, Slow(1e-5), Texts(range(512)))) == 512
    assert max(taken) == 8
