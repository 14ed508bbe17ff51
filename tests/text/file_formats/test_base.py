"""A format that is registered from outside the package is read and written by every command."""

import gzip
import json

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.bulk_embedding import EmbedSettings, embed
from wordworth.text.corpus.read_documents import CorpusSettings, DocumentReader, corpus_files
from wordworth.text.file_formats.base import FileFormat
from wordworth.text.file_formats.read import FORMATS, iterate_rows, iterate_texts, read_rows

TEXTS = ["a good film", "a bad film", "good acting", "bad acting"]


def parse(lines, path):
    """A JSON array of names and values on each line: `["text", "fine", "label", "good"]`."""
    for number, line in lines:
        cells = json.loads(line)
        if len(cells) % 2:
            raise BadInput("a name without a value", where=f"{path}, line {number}")
        yield number, dict(zip(cells[::2], cells[1::2], strict=True))


def write(path, rows, columns):
    written = [json.dumps([part for name in columns for part in (name, str(row[name]))]) for row in rows]
    path.write_text("\n".join(written) + "\n")
    return len(written)


@pytest.fixture(autouse=True)
def arrays(monkeypatch, tmp_path):
    monkeypatch.setattr(FORMATS, "_loaded", dict(FORMATS._loaded))
    FORMATS.register("arrays", FileFormat.of_lines((".arrays",), parse, write=write, corpus=True))
    monkeypatch.chdir(tmp_path)
    rows = [["text", f"{text} {n}", "label", "good" if "good" in text else "bad"] for n in range(30) for text in TEXTS]
    (tmp_path / "films.arrays").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path / "films.arrays"


def test_rows_are_read_whole_and_streamed_compressed_too(arrays):
    packed = arrays.with_suffix(".arrays.gz")
    packed.write_bytes(gzip.compress(arrays.read_bytes()))
    for path in (arrays, packed):
        assert read_rows(path).columns["label"][:2] == ["good", "bad"]
        assert next(iterate_rows(path)) == (f"{path}, line 1", {"text": "a good film 0", "label": "good"})


@pytest.mark.slow
def test_worth_evaluate_embed_and_corpora_read_it(arrays, tmp_path):
    assert ww.worth(arrays, models=["none"], quick=True, seeds=2, draws=100).data["classes"] == ["bad", "good"]
    answers = tmp_path / "answers.arrays"
    answers.write_text('["label", "good", "prediction", "good"]\n["label", "bad", "prediction", "good"]\n')
    assert ww.evaluate(answers).tables["scores"].rows()[0]["score"] == 50
    table = tmp_path / "table.txt"
    table.write_text("".join(f"{word} {n} 1\n" for n, word in enumerate(("good", "bad", "film", "acting"))))
    embed(arrays, tmp_path / "out.npy", EmbedSettings(model=str(table)))
    assert np.load(tmp_path / "out.npy").shape == (120, 2)
    (tmp_path / "corpus").mkdir()
    arrays.rename(tmp_path / "corpus" / arrays.name)
    documents = DocumentReader(CorpusSettings()).documents(corpus_files(tmp_path / "corpus"))
    assert "a good film 0" in {document.text for document in documents}


def test_a_model_is_fine_tuned_on_it_and_answers_in_it(arrays, tmp_path):
    encoder = str(write_tiny_encoder(tmp_path / "tiny"))
    ww.finetune(data=arrays, model=encoder, out="run", restarts=1, epochs=1, dev=0.2, processes=1)
    ww.predict("run", arrays, "out.arrays")
    answers = read_rows("out.arrays")
    assert len(answers) == 120
    assert set(answers.columns["prediction"]) <= {"good", "bad"}


def test_a_format_without_a_writer_is_only_read(arrays, tmp_path):
    FORMATS.register("lines", FileFormat.of_lines((".quiet",), parse))
    arrays.rename(tmp_path / "films.quiet")
    assert len(read_rows(tmp_path / "films.quiet")) == 120
    with pytest.raises(BadInput, match=r"unknown kind of file '\.quiet'"):
        ww.predict("run", "films.quiet", "out.quiet")


def test_an_error_of_its_reader_names_the_line_and_a_missing_column_too(arrays):
    with pytest.raises(BadInput, match=r"films\.arrays, line 1: column 'body' not found"):
        list(iterate_texts(arrays, "body"))
    arrays.write_text('["text", "fine", "label", "good"]\n["text"]\n')
    with pytest.raises(BadInput, match=r"films\.arrays, line 2: a name without a value"):
        read_rows(arrays)
