"""A BiLSTM student reads what its teacher reads, begins with its word embeddings, and survives its folder."""

import numpy as np
import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.models.save_encoder import save
from wordworth.training.distillation.bilstm import bilstm_student

TEXTS = ["the film was good", "a book", "!"]


def test_it_has_the_teachers_words_and_is_decided_by_its_seed(tmp_path):
    teacher = ww.load(write_tiny_encoder(tmp_path / "tiny"))
    one, same, other = (bilstm_student(teacher, 1, seed) for seed in (0, 0, 1))
    words = [each.model.embedding.word.weight for each in (one, teacher)]
    assert torch.equal(*words)
    assert np.array_equal(one.encode(TEXTS), same.encode(TEXTS))
    assert not np.array_equal(one.encode(TEXTS), other.encode(TEXTS))
    assert one.encode(TEXTS).shape == (3, 2 * teacher.width)


@pytest.mark.filterwarnings("ignore:LSTM with projections")
def test_its_states_are_those_of_an_lstm_of_torch(tmp_path):
    """torch's own LSTM, with 1 added to the bias of its forget gates, over the same vectors."""
    student = bilstm_student(ww.load(write_tiny_encoder(tmp_path / "tiny")), 1, 0)
    layer, width = student.model.body.layers[0], student.model.config.projection_size
    theirs = torch.nn.LSTM(width, 512, bidirectional=True, proj_size=width, batch_first=True)
    for side, suffix in ((layer.left_to_right, ""), (layer.right_to_left, "_reverse")):
        bias = side.input.bias.detach() + side.forget_offset
        for name, value in (
            ("weight_ih", side.input.weight), ("weight_hh", side.recurrent.weight),
            ("weight_hr", side.projection.weight), ("bias_ih", bias), ("bias_hh", torch.zeros_like(bias)),
        ):  # fmt: skip
            getattr(theirs, f"{name}_l0{suffix}").data.copy_(value)
    ids = torch.tensor(np.asarray(student.tokenizer.ids(TEXTS[:1])[0])[None].astype(np.int64))
    embedded = student.model.embedding.word(ids) * width**0.5
    expected = theirs(embedded)[0][0].max(0).values
    assert np.abs(student.encode(TEXTS[:1])[0] - expected.detach().numpy()).max() < 1e-5


def test_a_folder_gives_the_same_vectors(tmp_path):
    student = bilstm_student(ww.load(write_tiny_encoder(tmp_path / "tiny")), 2, 0)
    save(student, tmp_path / "student")
    assert np.array_equal(ww.load(tmp_path / "student").encode(TEXTS), student.encode(TEXTS))
