"""The study from texts to a record, and what it refuses."""

import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.random_weights_copy import random_twin
from wordworth.studies.attention_patterns import study

TEXTS = [
    f"The {noun} , which was {n} years old , saw the river . It left ." for n in range(8) for noun in ("cat", "dog")
]


@pytest.mark.slow
def test_every_head_is_measured_beside_random_weights():
    record = ww.study_patterns(TEXTS, model="mini", length=32, draws=100)
    assert len(record.tables["heads"].rows()) == 16
    assert record.data["segments"] == len(TEXTS)
    assert record.data["loss"] == "masked-LM loss"
    own, random = record.tables["distances"].rows()
    assert random["between"] < own["between"]
    assert "of 16 heads" in record.verdict


@pytest.mark.slow
def test_luck_is_told_by_as_many_random_encoders_as_are_said(monkeypatch):
    seeds = []
    monkeypatch.setattr(study, "random_twin", lambda model, seed: seeds.append(seed) or random_twin(model, seed))
    record = ww.study_patterns(TEXTS, model="mini", length=32, draws=100)
    assert len(set(seeds)) == record.data["random_encoders"] == 5
    for row in record.tables["types"].rows():
        assert row["random_least"] <= row["random"] <= row["random_most"]
    assert sum(row["random"] for row in record.tables["types"].rows()) == pytest.approx(16)
    assert "counted in 5 such encoders" in record.finding("method.random").text


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes():
    one, two = (
        ww.study_patterns(TEXTS, model="mini", limit=6, draws=100).to_json().partition('"timings"')[0] for _ in "ab"
    )
    assert one == two


def test_a_model_that_reads_from_left_to_right_has_a_page_too(tmp_path):
    texts = [f"the cat, a dog {letter} saw it." for letter in "abcdefgh"]
    model = write_tiny(tmp_path / "gpt2", "gpt2")
    record = ww.study_patterns(texts, model=str(model), length=16, draws=100, out=tmp_path / "run")
    assert record.data["loss"] == "cosine of halves"
    assert "layer 2" in (tmp_path / "run" / "report.html").read_text()


def test_what_cannot_be_studied_is_refused(tmp_path):
    for data, choices, what in (
        (["one text"], {}, "fewer than two texts"),
        (TEXTS, {"model": "glove"}, "has no attention"),
        (tmp_path / "none.csv", {}, "none.csv"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_patterns(data, **{"model": "mini", **choices})
