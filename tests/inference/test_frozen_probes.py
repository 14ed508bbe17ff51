"""Several probes answered from one pass of their encoder."""

import json

import numpy as np
import pytest
from tests.studies.layers.small_files import NOUNS, labelled, two_probes

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference import frozen_probes
from wordworth.models.text_encoder import TextEncoder

TEXTS = [f"saw the {noun} again" for noun in NOUNS]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return two_probes(tmp_path_factory.mktemp("probes"))


def test_all_probes_answer_as_each_alone_from_one_pass(folders, monkeypatch):
    probes = ww.load_probes(folders)
    alone = {folder.name: ww.load_run(folder).predict(TEXTS).prediction for folder in folders}
    passes, pooled_layers = [], TextEncoder.pooled_layers
    monkeypatch.setattr(
        TextEncoder, "pooled_layers", lambda *a, **k: passes.append(k["layers"]) or pooled_layers(*a, **k)
    )
    together = probes.predict(TEXTS)
    assert {name: list(together[name]) for name in together} == {name: list(each) for name, each in alone.items()}
    assert len(passes) == 1
    assert list(together["kind"]) == ["pets"] * 3 + ["people"] * 3
    assert repr(probes) == "<Probes kind, swapped on 'mini'>"
    assert np.allclose(
        probes.scores(TEXTS)["kind"],
        probes.probes["kind"].scores(
            pooled_layers(probes.probes["kind"].encoder, TEXTS, layers=probes.probes["kind"].probe.layers)
        ),
    )


def test_the_weights_of_a_shared_encoder_are_compared_once(folders, monkeypatch):
    read, fingerprint = [], frozen_probes.fingerprint
    monkeypatch.setattr(frozen_probes, "fingerprint", lambda encoder: read.append(encoder) or fingerprint(encoder))
    ww.load_probes(folders)
    assert len(read) == 1


def test_probes_may_be_named(folders):
    assert list(ww.load_probes({"x": folders[0], "y": folders[0]}).predict(["a cat"])) == ["x", "y"]


def test_what_is_no_set_of_probes_is_said(folders, tmp_path):
    with pytest.raises(BadInput, match="no list of folders"):
        ww.load_probes([])
    with pytest.raises(BadInput, match="no list of folders"):
        ww.load_probes(folders[0])
    with pytest.raises(BadInput, match="the same name"):
        ww.load_probes([folders[0], folders[0]])
    with pytest.raises(BadInput, match="no such folder"):
        ww.load_probes([tmp_path / "none"])
    with pytest.raises(BadInput, match="single text"):
        ww.load_probes(folders).predict("a text")


@pytest.mark.parametrize("field", ["layers", "classes"])
def test_a_damaged_probe_is_said(folders, field, tmp_path):
    metadata = json.loads((folders[0] / "model" / "wordworth.json").read_text())
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "head.safetensors").write_bytes((folders[0] / "model" / "head.safetensors").read_bytes())
    (metadata["probe"] if field == "layers" else metadata)[field] = ["0"] * 3
    (broken / "wordworth.json").write_text(json.dumps(metadata))
    with pytest.raises(BadInput, match=r"which layers it reads|do not fit"):
        ww.load_run(broken)


def test_nobody_looks_inside_a_probe_as_if_it_were_fine_tuned(folders, tmp_path):
    with pytest.raises(BadInput, match="frozen states"):
        ww.study_heads(folders[0], data=labelled(tmp_path), label="kind")
