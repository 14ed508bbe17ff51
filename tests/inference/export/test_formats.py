"""Every format has a writer; what cannot be written is refused before any work."""

from typing import get_args

import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth import errors
from wordworth.errors import BadInput
from wordworth.inference.export import Format
from wordworth.inference.export.formats import FORMATS


def test_every_format_has_a_writer():
    assert list(FORMATS) == list(get_args(Format))


@pytest.mark.parametrize("to", ["onnx", "int8"])
def test_a_missing_package_is_found_before_the_model_is_looked_for(tmp_path, monkeypatch, to):
    monkeypatch.setattr(errors, "find_spec", lambda _: None)
    with pytest.raises(errors.MissingExtra, match="this needs onnx"):
        ww.export(tmp_path / "no-such-model", tmp_path / "new", to=to)


def test_what_cannot_be_exported_is_refused(tmp_path):
    encoder = write_tiny(tmp_path / "encoder", "bert")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    for out, choices, what in (
        ("new", {"to": "pdf"}, "no form 'pdf'"),
        ("new", {"to": "onnx", "data": ["a text"]}, "this format has not"),
        ("full", {"to": "onnx"}, "there already"),
        ("encoder", {"to": "onnx"}, "overwrite the input"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.export(encoder, tmp_path / out, **choices)
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "full" / "file").read_text() == "mine"
