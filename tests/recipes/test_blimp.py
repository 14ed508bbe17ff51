"""BLiMP's record says which weights were asked, and what computed."""

import platform

from tests.models.language_models import write_language_model
from tests.recipes.test_minimal_pairs import write

import blimp
from wordworth import records
from wordworth.files import sha256


def test_the_record_holds_the_hash_of_the_weights_and_what_computed(tmp_path, monkeypatch):
    model, pairs = write_language_model(tmp_path / "bert", "bert"), write(tmp_path / "pairs")
    out = tmp_path / "blimp.json"
    monkeypatch.setattr("sys.argv", ["blimp.py", str(model), "--data", str(pairs), "--out", str(out)])
    blimp.main()
    found = records.read(out)
    assert found.settings["weights"] == sha256(model / "model.safetensors")
    assert found.environment["python"] == platform.python_version()
    assert found.environment["device"]
    assert found.verdict.startswith(found.settings["model"])
