"""Every format has a writer, tables and ranges of int8 vectors are right; what cannot be written is refused at once."""

from typing import get_args

import pytest
from tests.inference.tuned_model import write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth import errors
from wordworth.errors import BadInput
from wordworth.inference.export import Format
from wordworth.inference.export.formats import FORMATS
from wordworth.models.cpu_inference.select_dtype_and_kernel import texts as calibration_texts
from wordworth.models.int8_and_bit_vectors import Int8Ranges
from wordworth.progress import NoProgress


class Notes(NoProgress):
    """Progress that keeps the notes it receives."""

    def __init__(self):
        self.heard = []

    def note(self, message):
        self.heard.append(message)


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
    ):
        with pytest.raises(BadInput, match=what):
            ww.export(encoder, tmp_path / out, **choices)
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "full" / "file").read_text() == "mine"


@pytest.mark.parametrize("to", get_args(Format))
def test_nothing_is_written_into_the_folder_of_the_model_or_around_it(tmp_path, to):
    run = write_tuned(tmp_path / "run", steps=1)
    for out, how in ((run, "is"), (run.parent / "graph", "lies inside"), (run / "graph", "lies inside")):
        with pytest.raises(BadInput, match=f"this {how} the folder of the model") as caught:
            ww.export(run.parent if how == "lies inside" else run, out, to=to)
        assert caught.value.where == str(out)
    with pytest.raises(BadInput, match="this contains the folder of the model"):
        ww.export(run, run.parent, to=to)
    assert not (run.parent / "graph").exists()
    assert not (run / "graph").exists()


def test_the_table_loads_and_is_as_wide_as_the_encoder_or_less(tmp_path):
    encoder = write_tiny(tmp_path / "encoder", "bert")
    table = ww.load(ww.export(encoder, tmp_path / "table", to="model2vec"))
    assert 0 < table.encode(["the cat sat"]).shape[1] <= ww.load(encoder).width
    assert table.encode(["the cat sat"]).any()


def test_ranges_are_those_of_the_texts_that_are_given(tmp_path):
    encoder = write_tiny(tmp_path / "encoder", "bert")
    texts = ["the cat sat", "a cat", "the s, a s! the cat sat on it"]
    folder = ww.export(encoder, tmp_path / "own", to="sentence-transformers", data=texts)
    vectors = ww.load(encoder).encode(texts)
    assert Int8Ranges.read(folder).low == pytest.approx(vectors.min(0), abs=1e-6)


@pytest.mark.parametrize("content", ["text\n", "text\na single text\n"])
def test_fewer_than_two_texts_set_no_ranges_and_the_error_names_file_and_option(tmp_path, content):
    path, notes = tmp_path / "few.csv", Notes()
    path.write_text(content)
    with pytest.raises(BadInput, match="need 2 texts or more") as error:
        ww.export("mini", tmp_path / "out", to="sentence-transformers", data=path, progress=notes)
    assert error.value.where == str(path)
    assert "--data" in error.value.in_flags
    assert not notes.heard
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("to", "step"),
    [
        ("int8", "wordworth.inference.export.int8_onnx_graphs.quantise"),
        ("sentence-transformers", "wordworth.models.int8_and_bit_vectors.Int8Ranges.save"),
        ("model2vec", "wordworth.models.static.distillation.distilled_table.write_text"),
    ],
)
def test_an_export_that_is_stopped_leaves_nothing(tmp_path, monkeypatch, to, step):
    pytest.importorskip("onnx")
    encoder = write_tiny(tmp_path / "encoder", "bert")

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(step, stopped)
    with pytest.raises(KeyboardInterrupt):
        ww.export(encoder, tmp_path / "out", to=to)
    assert [path.name for path in tmp_path.iterdir()] == ["encoder"]


def test_a_text_that_no_model_reads_within_minutes_is_refused(tmp_path):
    texts = ["the cat sat", "a" * 1_000_001]
    with pytest.raises(BadInput, match=r"a text of 1,000,001 characters") as error:
        ww.export(write_tiny(tmp_path / "encoder", "bert"), tmp_path / "own", to="sentence-transformers", data=texts)
    assert "text 2" in str(error.value)
    assert not (tmp_path / "own").exists()


def test_nothing_is_said_of_long_texts_that_are_not_the_users(tmp_path):
    notes, encoder = Notes(), write_tiny(tmp_path / "encoder", "bert")
    assert ww.load(encoder).embed(calibration_texts()).lengths.windowed > 0
    ww.export(encoder, tmp_path / "out", to="sentence-transformers", progress=notes)
    assert not [note for note in notes.heard if "windows" in note]


def test_without_texts_one_query_alone_is_no_zeros_all_the_same(tmp_path):
    folder = ww.export("mini", tmp_path / "usual", to="sentence-transformers")
    encoder, ranges = ww.load(folder), Int8Ranges.read(folder)
    alone = ranges.codes(encoder.encode("where is my parcel?"))
    assert (alone != 0).mean() > 0.9
    several = ranges.codes(encoder.encode(["where is my parcel?", "a dog barked"]))
    assert (abs(several[0].astype(int) - alone) <= 1).all()


def test_of_a_fine_tuned_model_the_encoder_is_loaded_and_exported_and_not_its_logits(tmp_path):
    run = write_tuned(tmp_path / "run")
    loaded = ww.load(run)
    assert loaded.head.steps == ()
    assert loaded.encode(["a text"]).shape == (1, loaded.model.width)
    ww.export(run, tmp_path / "encoder", to="sentence-transformers")
    exported = ww.load(tmp_path / "encoder")
    assert not (tmp_path / "encoder" / "2_Dense").exists()
    assert exported.encode(["a text"]) == pytest.approx(loaded.encode(["a text"]), abs=1e-5)
