"""Weights swapped for others of the same size and time, as images of containers have them, are other weights."""

import os

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth import sources
from wordworth.download_catalogue import Entry
from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.inference.bulk_embedding import EmbedSettings, embed
from wordworth.inference.bulk_embedding_parts import PartsFolder
from wordworth.models.static.distillation import to_static
from wordworth.progress import SILENT
from wordworth.representations import shared_encoder
from wordworth.representations.rung import RunContext
from wordworth.representations.static_vectors import StaticRung
from wordworth.sources import digest, resolve
from wordworth.studies.commonsense.tested_model import Subject
from wordworth.studies.contextuality import study as context
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.distill.student_runs import read_teacher_and_student
from wordworth.studies.languages.encoder_and_random_twin import encoder_of
from wordworth.studies.shrink.encoder_candidates import read_encoders
from wordworth.studies.word_benchmarks.word_lookup import open_vectors
from wordworth.studies.word_vectors_by_layer import open_reader
from wordworth.tasks.reading.sentence_rows import read_sentences
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning import run_inputs
from wordworth.training.pretraining.pretrain_and_adapt import adapt
from wordworth.training.sentences.hard_negatives import with_hard_negatives
from wordworth.training.sentences.teacher_vectors import teacher_vectors


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.txt"
    write(path, "0.25")
    return path


def write(path, number):
    """A table of two words; always of the same size and time, as `swap` leaves it."""
    path.write_text(f"one {number} 0.50\ntwo 0.75 {number}\n")
    os.utime(path, (1, 1))


def test_a_swapped_file_of_fixed_time_has_another_digest(table):
    first = digest(table)
    write(table, "0.99")
    assert digest(table) == sha256(table) != first


def test_a_damaged_note_of_a_digest_is_not_believed(table, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    digest(table)
    (note,) = (tmp_path / "cache" / "digests").iterdir()
    note.write_text("0" + note.read_text()[1:] if note.read_text()[0] != "0" else "1" + note.read_text()[1:])
    assert digest(table) == sha256(table)


def test_parts_of_other_weights_are_not_taken_up_whatever_the_shortcut_says(table, tmp_path, monkeypatch):
    texts, out = tmp_path / "texts.txt", tmp_path / "out.npy"
    texts.write_text("one\ntwo\none two\n")
    model = tmp_path / "model.vec"
    table.rename(model)
    settings, write_part = EmbedSettings(model=str(model), rows=1), PartsFolder.write
    monkeypatch.setattr("wordworth.sources.digest", lambda _: "0" * 64)  # the shortcut sees no change
    assert set(resolve(str(model)).sha256.values()) == {"0" * 64}

    def stop(parts, number, vectors):
        if number == 1:
            raise KeyboardInterrupt
        write_part(parts, number, vectors)

    with monkeypatch.context() as stopped:
        stopped.setattr(PartsFolder, "write", stop)
        with pytest.raises(KeyboardInterrupt):
            embed(texts, out, settings)
    assert np.load(tmp_path / "out.npy.parts" / "00000000.npy").shape == (1, 2)
    write(model, "0.99")
    with pytest.raises(BadInput, match="made with another model"):
        embed(texts, out, settings)


ENTRY = {"title": "", "kind": "encoder", "distribution": "carrier", "version": "1", "licence": "", "origin": ""}
LABELLED = [{"text": f"{word} {row}", "label": word} for row in range(50) for word in ("one", "two")]
SCORED = [{"text_a": f"one {row}", "text_b": "two", "score": row % 5} for row in range(30)]


def student_begins_from(path):
    return read_teacher_and_student(write_tuned(path / "tuned", steps=1), 1, "encoder")


def mine(path):
    (path / "pairs.csv").write_text("text_a,text_b\none,two\ntwo,one\n")
    return with_hard_negatives(read_sentences(path / "pairs.csv"), "encoder", SILENT)


KEEPERS = {
    "embed": ("table", lambda _: embed("texts.txt", "out.npy", EmbedSettings(model="table"))),
    "worth, vectors": (
        "table",
        lambda _: StaticRung("table", "table", "Table").prepare(sample_task("single", 30), RunContext()),
    ),
    "study words": ("table", lambda _: open_vectors("table", ["one"], 10, whole=False)),
    "worth": ("encoder", lambda _: shared_encoder.load_encoder("encoder", "auto")),
    "finetune": ("encoder", lambda _: run_inputs.load_encoder("encoder")),
    "study context": ("encoder", lambda _: context.reader("encoder", ContextSettings(models=("encoder",)))),
    "study senses": ("encoder", lambda _: open_reader("encoder", "mean")),
    "to-static": ("encoder", lambda _: to_static("encoder", method="pieces")),
    "adapt": ("encoder", lambda path: adapt("encoder", [path / "texts.txt"], out=path / "adapted")),
    "study layers": ("encoder", lambda _: ww.study_layers(data=LABELLED, model="encoder")),
    "study similarity": ("encoder", lambda _: ww.study_similarity(["one", "two"], model="encoder")),
    "study neighbours": ("encoder", lambda _: ww.study_neighbours("[one] two", "texts.txt", model="encoder")),
    "study languages": ("encoder", lambda _: encoder_of("encoder")),
    "study commonsense": ("encoder", lambda _: Subject.of("encoder", 0)),
    "study sentences": ("encoder", lambda _: ww.study_sentences(data=SCORED, model="encoder", other_models=())),
    "study shrink": ("encoder", lambda _: ww.study_shrink("encoder", LABELLED)),
    "study shrink, other encoders": ("encoder", lambda _: read_encoders(["encoder"])),
    "prune": ("encoder", lambda path: ww.prune("encoder", path / "pruned", layers=1)),
    "distill, the model that a student begins from": ("encoder", student_begins_from),
    "train-sentences, the teacher": ("encoder", lambda _: teacher_vectors("encoder", ["one"], SILENT)),
    "train-sentences, hard negatives": ("encoder", mine),
}


@pytest.mark.parametrize("what", KEEPERS)
def test_what_keeps_results_reads_a_catalogue_models_files_whole(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "texts.txt").write_text("one two\n" * 9)
    package = tmp_path / "carrier_of_models"
    package.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    name, keep = KEEPERS[what]
    if name == "encoder":
        write_tiny(package)
    else:
        write(package / "table.txt", "0.25")
    weights = package / ("model.safetensors" if name == "encoder" else "table.txt")
    promised = {file.name: sha256(file) for file in (weights, *package.glob("*.*"))}
    entry = Entry(name=name, package=package.name, files=promised, **ENTRY)
    monkeypatch.setattr(sources, "ENTRIES", (entry,))
    monkeypatch.setattr(sources, "digest", lambda file: promised[file.name])  # the shortcut sees no change
    weights.write_bytes(weights.read_bytes()[:-2] + b"9\n")
    assert resolve(name).sha256 == promised
    with pytest.raises(BadInput, match=f"this is not the {name} that Wordworth knows"):
        keep(tmp_path)
