"""A student of fewer layers learns the vectors of its teacher."""

import shutil
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.training.sentences.sentence_files import files_to_train_on, write

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.pruning import first_layers
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import SILENT
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.sentences import teacher_vectors as module
from wordworth.training.sentences.teacher_vectors import require_width, teacher_vectors
from wordworth.training.sentences.tokenized_rows import cut_tokens, read_beginnings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = files_to_train_on(tmp_path_factory.mktemp("files"))
    texts = sample_task("classification", 200).examples.first
    write(folder / "texts.csv", ["text"], [(text,) for text in texts])
    return folder


def test_the_teachers_vectors_are_those_that_it_gives(folder):
    texts = ["a good film", "the book was bad"]
    own = ww.load(folder / "tiny").encode(texts)
    assert np.array_equal(teacher_vectors(str(folder / "tiny"), texts, SILENT).numpy(), own)


def test_a_killed_call_computes_only_the_blocks_that_are_missing(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "_BLOCK", 10)
    texts, computed, real = sample_task("classification", 32, seed=5).examples.first, list[int](), TextEncoder.encode

    def counted(self, block, **choices):
        computed.append(len(block))
        if len(computed) == 3:
            raise KeyboardInterrupt
        return real(self, block, **choices)

    monkeypatch.setattr(TextEncoder, "encode", counted)
    with pytest.raises(KeyboardInterrupt):
        teacher_vectors(str(folder / "tiny"), texts, SILENT)
    assert computed == [10, 10, 10]
    second = teacher_vectors(str(folder / "tiny"), texts, SILENT)
    assert computed[3:] == [10, 2]
    third = teacher_vectors(str(folder / "tiny"), texts, SILENT)
    assert len(computed) == 5
    assert second.numpy().tobytes() == third.numpy().tobytes()
    assert np.array_equal(second.numpy(), real(ww.load(folder / "tiny"), texts))


@pytest.mark.parametrize("prompt", ["", "the "])
def test_the_teacher_reads_the_beginning_that_the_student_reads(folder, prompt):
    student = replace(ww.load(folder / "tiny"), prompt=prompt)
    texts = [*sample_task("classification", 30).examples.first, "film"]
    read = read_beginnings(texts, student, 8)
    ids, (cut, is_cut) = student.tokenizer.ids([prompt + text for text in read]), cut_tokens(texts, student, 8)
    assert all(np.array_equal(own, tokens.ids) for own, tokens in zip(ids, cut, strict=True))
    assert 0 < is_cut.sum() < len(texts)
    assert all(whole.startswith(part) for part, whole in zip(read, texts, strict=True))
    assert [part != whole for part, whole in zip(read, texts, strict=True)] == is_cut.tolist()


def test_a_teacher_of_another_width_is_refused_before_its_weights_are_read(folder, tmp_path):
    shutil.copytree(folder / "tiny", tmp_path / "broken")
    (tmp_path / "broken" / "model.safetensors").write_bytes(b"no weights")
    with pytest.raises(BadInput, match="have 32 numbers, those of the student 48"):
        require_width(str(tmp_path / "broken"), 48)
    require_width(str(folder / "tiny"), ww.load(folder / "tiny").width)


def test_a_student_of_one_layer_comes_nearer_to_its_teacher(folder, tmp_path):
    record = ww.train_sentences(
        folder / "texts.csv", tmp_path / "out", model=str(folder / "tiny"), loss="mse", layers=1, max_length=64,
        epochs=20, dev=0.2,
    )  # fmt: skip
    losses = record.table("evaluations")["score"]
    assert losses.iloc[-1] < 0.5 * losses.iloc[0]
    assert record.settings["layers"] == 1
    student, teacher = ww.load(tmp_path / "out"), ww.load(folder / "tiny")
    untrained = teacher.with_model(first_layers(teacher.model, 1))
    assert student.model.config.num_layers == 1
    texts = list(sample_task("classification", 50, seed=1).examples.first)
    before, after, theirs = (torch.from_numpy(each.encode(texts)) for each in (untrained, student, teacher))
    assert torch.cosine_similarity(after, theirs).mean() > 0.2 + torch.cosine_similarity(before, theirs).mean()


def test_the_column_of_texts_is_not_looked_for_in_the_pairs_that_choose(folder, tmp_path):
    texts = [(f"row {n}", f"the {n} good film") for n in range(40)]
    path = write(tmp_path / "x.csv", ["sentence1", "sentence2"], texts)
    record = ww.train_sentences(
        path, tmp_path / "out", model=str(folder / "tiny"), loss="mse", layers=1, max_length=64, epochs=1,
        text="sentence2", dev=folder / "sts.csv",
    )  # fmt: skip
    assert record.data["judged_by"] == "spearman"
    assert record.data["dev"] == 90


def test_scored_pairs_may_choose_the_step_of_a_student(folder, tmp_path):
    record = ww.train_sentences(
        folder / "texts.csv", tmp_path / "out", model=str(folder / "tiny"), loss="mse", layers=1, max_length=64,
        epochs=2, dev=folder / "sts.csv",
    )  # fmt: skip
    assert record.data["judged_by"] == "spearman"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({}, "nothing to learn from itself"),
        ({"loss": "ranking", "teacher": "mini"}, "has no teacher"),
        ({"layers": 9}, "layers cannot be kept|none would be dropped"),
        ({"teacher": "wordllama"}, "numbers, those of the student"),
    ],
)
def test_what_cannot_be_taught_is_one_clear_error(folder, tmp_path, choices, message):
    options = {"model": str(folder / "tiny"), "loss": "mse", "max_length": 64, "epochs": 1, "dev": 0, **choices}
    with pytest.raises(BadInput, match=message):
        ww.train_sentences(folder / "texts.csv", tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_texts_need_one_column_that_holds_them(tmp_path):
    write_tiny_encoder(tmp_path / "tiny")
    path = write(tmp_path / "x.csv", ["a", "b"], [("one", "two")] * 30)
    with pytest.raises(BadInput, match="which column holds the texts"):
        ww.train_sentences(path, tmp_path / "out", model=str(tmp_path / "tiny"), loss="mse", layers=1, max_length=64)
