"""Several trainings of several architectures become one record with an answer to each finding."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.studies.contextuality import made_up
from tests.studies.contextuality.made_up import SETTINGS, layer_data

from parts import context_matched as matched_models
from parts.context_claims import CLAIMS, rise, upper
from parts.context_matched import matched
from parts.context_runs import MEANINGS, at, curves, minus, over_trainings
from wordworth.measures.bootstrap import Interval
from wordworth.records import read
from wordworth.studies.contextuality.layer_measures import LayerCurve

LAYERS = 5


@dataclass(frozen=True)
class Trained(made_up.MadeUp):
    """Each layer adds noise to a word's vector by `drift`, and its sentence's own vector by `pull`."""

    layers: int = LAYERS
    training: int = 0
    drift: float = 0.3
    pull: float = 0.0

    def _vectors(self, text):
        words = text.split()
        chance = np.random.default_rng([self.training, abs(sum(map(ord, text))), len(text)])
        own = np.stack([np.random.default_rng(sum(map(ord, w)) * 7 + len(w)).normal(size=self.width) for w in words])
        noise, sentence = chance.normal(size=(LAYERS, len(words), self.width)), chance.normal(size=self.width)
        kept = 0.3 * (np.array(words) == "the")[:, None]
        steps = np.arange(LAYERS)[:, None, None]
        return own + steps * ((self.drift + kept) * noise + self.pull * sentence)


KINDS = {
    "bert": Trained(pull=0.05),
    "gpt": Trained(drift=0.3, pull=0.0),
    "bilm": Trained(drift=0.1, pull=0.5),
}


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(made_up.sentences()) + "\n")
    return path


@pytest.fixture
def trained(monkeypatch):
    def opened(name, _):
        kind, number = str(name).rsplit("-", 1)
        return replace(KINDS[kind], name=str(name), training=int(number))

    monkeypatch.setattr(matched_models, "reader", opened)
    return {kind: [f"{kind}-{number}" for number in (0, 1, 2)] for kind in KINDS}


@pytest.mark.slow
def test_every_finding_is_answered_with_what_decides_it_and_read_back_the_same(trained, text, tmp_path):
    training = [{"variant": "bert", "seed": 0, "tokens": 100}, {"variant": "gpt", "seed": 0, "tokens": 100}]
    record = matched(trained, text, SETTINGS, training=training)
    answers = {row["finding"]: row["answer"] for row in record.tables["answers"].rows()}
    assert list(answers) == [claim.name for claim in CLAIMS]
    assert answers["upper_layers"] == "yes"
    assert answers["sentence_elmo"] == "yes"
    evidence = record.tables["evidence"].rows()
    for row in evidence:
        assert row["trainings"] == 3
        assert row["low"] <= row["value"] <= row["high"]
        assert row["measure"] in MEANINGS
    assert {row["architecture"] for row in evidence if row["finding"] == "sentence_bert"} == {"bert"}
    assert any(not row["decides"] for row in evidence)
    assert "findings hold under control" in record.verdict
    assert [finding.name for finding in record.warnings] == []
    record.save(tmp_path / "record.json")
    assert read(tmp_path / "record.json").to_json() == record.to_json()
    assert (
        matched(trained, text, SETTINGS, training=training).to_json().split('"environment"')[0]
        == (record.to_json().split('"environment"')[0])
    )


def test_one_training_and_unequal_reading_are_warned_of(trained, text):
    single = {kind: names[:1] for kind, names in trained.items()}
    record = matched(single, text, SETTINGS, training=[{"tokens": 100}, {"tokens": 150}])
    assert {finding.name for finding in record.warnings} == {"warning.one_training", "warning.unequal"}


def test_an_architecture_that_is_missing_leaves_its_findings_open(trained, text):
    record = matched({"bert": trained["bert"]}, text, SETTINGS)
    answers = {row["finding"]: row["answer"] for row in record.tables["answers"].rows()}
    assert answers["sentence_elmo"] == answers["sentence_gpt"] == "cannot tell"


def measured(values, spread=0.0, seed=0):
    values = np.asarray(values, float)
    noise = np.random.default_rng(seed).normal(size=(200, 1))
    return LayerCurve(values, values + spread * noise, np.zeros(len(values)), 10, "words")


def test_an_interval_over_trainings_grows_with_what_trainings_differ_by():
    alike = [measured([0, 0.5, 0.4], 0.01) for _ in range(3)]
    apart = [measured([0, 0.5, 0.4 + shift], 0.01) for shift in (-0.1, 0.0, 0.1)]
    (one, narrow), (other, wide) = (over_trainings(runs, upper, 0) for runs in (alike, apart))
    assert one == pytest.approx(other)
    assert narrow.high - narrow.low < 0.06 < wide.high - wide.low
    assert 0.4 in narrow


def test_what_words_have_in_common_falls_out_of_a_difference_within_a_model():
    value, span = over_trainings([measured([0, 0.5, 0.4], 0.2)] * 2, rise, 0)
    assert value == pytest.approx(-0.1)
    assert span.high - span.low < 1e-9


def test_what_is_undefined_has_no_interval():
    value, span = over_trainings([measured([np.nan, 1, 1])], at(0), 0)
    assert np.isnan([value, span.low, span.high]).all()
    assert over_trainings([measured([np.nan, 1, 1])], at(1), 0) == (1, Interval(1, 1))


def test_models_are_compared_on_the_same_draws():
    gap = minus(measured([0, 0.5], 0.2), measured([0, 0.3], 0.2))
    assert gap.value.tolist() == pytest.approx([0, 0.2])
    assert np.ptp(gap.draws[:, 1]) < 1e-9


def test_explained_variance_over_its_null_and_stop_words_apart_are_curves_like_the_others():
    found = curves(layer_data())
    one = found["explained_literal"]
    assert found["explained_literal_over_null"].value == pytest.approx(one.value - one.null, nan_ok=True)
    assert set(found) <= set(MEANINGS)
    assert found["stop_words"].value.shape == (3,)
    assert found["stop_words"].value[0] == pytest.approx(0, abs=1e-6)
