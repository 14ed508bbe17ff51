import pytest
import torch
from tests.models.tiny_elmo import an_elmo, write_elmo

from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.families.elmo import (
    ELMO,
)
from wordworth.serving.doctor import doctor


def test_gates_and_halves_of_a_kernel_stand_where_they_belong():
    model = an_elmo()
    kernel = ELMO.table.to_checkpoint(model.state_dict())["RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/W_0"]
    direction = model.body.layers[0].left_to_right
    enter, candidate, forget, leave = kernel.T.chunk(4)
    for number, gate in enumerate((enter, forget, candidate, leave)):
        assert torch.equal(gate[:, :6], direction.input.weight[10 * number : 10 * (number + 1)])
        assert torch.equal(gate[:, 6:], direction.recurrent.weight[10 * number : 10 * (number + 1)])


def test_doctor_counts_every_tensor_once_and_names_what_is_left_over(tmp_path):
    checks = {check.name: check for check in doctor(write_elmo(tmp_path / "a"))}
    theirs = ELMO.table.to_checkpoint(an_elmo().state_dict())
    assert checks["tensors"].passed
    assert checks["tensors"].detail == f"{len(theirs)} used once"
    assert all(check.passed for name, check in checks.items() if name != "pooling")  # the files say nothing of pooling
    checks = {check.name: check for check in doctor(write_elmo(tmp_path / "b", softmax=torch.ones(2)))}
    assert not checks["tensors"].passed
    assert "softmax" in checks["tensors"].detail


@pytest.mark.parametrize(
    ("name", "tensor", "said"),
    [
        ("char_embed", torch.ones(261, 4), "by the config"),
        ("char_embed", torch.ones(3), "not of 2 dimensions"),
        ("CNN/W_cnn_0", torch.ones(2, 1, 3, 4), "by the config"),
        ("RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/W_0", torch.ones(11, 40), "by the config"),
        ("RNN_0/RNN/MultiRNNCell/Cell0/LSTMCell/B", torch.ones(3), "by the config"),
        ("CNN_proj/b_proj", None, "missing: CNN_proj/b_proj"),
    ],
)
def test_weights_that_do_not_fit_their_options_are_refused(tmp_path, name, tensor, said):
    with pytest.raises(BadInput, match=said):
        read_checkpoint(write_elmo(tmp_path / "broken", **{name: tensor}))


def test_the_tensors_of_a_model_go_there_and_back_to_the_bit():
    ours = an_elmo().state_dict()
    back, report = ELMO.table.from_checkpoint(ELMO.table.to_checkpoint(ours), ours)
    assert back.keys() == ours.keys()
    assert all(torch.equal(back[name], ours[name]) for name in ours)
    assert (report.missing, report.unexpected) == ((), ())


def test_a_matrix_is_written_with_its_inputs_first_and_a_convolution_with_its_window():
    model = an_elmo()
    theirs = ELMO.table.to_checkpoint(model.state_dict())
    config = model.config
    for number, (width, count) in enumerate(config.filters):
        assert theirs[f"CNN/W_cnn_{number}"].shape == (1, width, config.character_size, count)
    assert torch.equal(theirs["CNN_proj/W_proj"], model.embedding.projection.weight.T)


def test_what_is_missing_and_what_is_left_over_are_told_by_the_published_names():
    ours = an_elmo().state_dict()
    theirs = ELMO.table.to_checkpoint(ours)
    del theirs["char_embed"]
    _, report = ELMO.table.from_checkpoint(theirs | {"softmax": torch.ones(2)}, ours)
    assert (report.missing, report.unexpected) == (("char_embed",), ("softmax",))


def test_a_tensor_without_a_published_name_is_an_error():
    with pytest.raises(KeyError, match=r"heads\.mlm\.bias"):
        ELMO.table.to_checkpoint(an_elmo().state_dict() | {"heads.mlm.bias": torch.ones(2)})
