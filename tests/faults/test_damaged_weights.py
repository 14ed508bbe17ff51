"""The kept weights of a fine-tuning that came to harm: one line that says how to go on, and going on works."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.files import sha256
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.run_result import Result


class Runs:
    """What a bare unpickler would run."""

    def __reduce__(self):
        return print, ("it ran",)


DAMAGES = {
    "nothing": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "text": lambda path: path.write_text("no weights"),
    "a list": lambda path: torch.save([1, 2], path),
    "another model": lambda path: torch.save({"w": torch.zeros(3)}, path),
    "code": lambda path: torch.save({"w": Runs()}, path),
}


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def without_checksum(weights):
    """Write the result of the run as earlier versions did, which kept no SHA-256 of the weights."""
    result = Result.read(weights.with_name("result.npz"))
    replace(result, weights_sha256="").save(weights.with_name("result.npz"))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A study that has ended, as something that takes it up again, and the file of its best weights."""
    folder = tmp_path_factory.mktemp("weights")
    encoder = write_tiny_encoder(folder / "tiny")

    def again():
        return finetune(sample_task("single", 60), model=str(encoder), out=folder / "out", restarts=1,
                        learning_rate=2e-3, epochs=1.0, dev=0.3, processes=1)  # fmt: skip

    record = again()
    (weights,) = (folder / "out").glob("runs/*/*/weights.pt")
    return again, weights, record


def test_a_flipped_bit_in_the_weights_is_noticed(run):
    again, weights, record = run
    flip_a_bit(weights)
    with pytest.raises(BadInput, match=r"weights\.pt: the weights of this run were changed since it ended"):
        again()
    weights.unlink()
    assert again().tables == record.tables


@pytest.mark.parametrize("checked", [True, False], ids=["with checksum", "earlier version"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_weights_name_their_file_and_how_to_go_on(run, damage, checked, capfd):
    again, weights, record = run
    sound = weights.read_bytes()
    if not checked:
        without_checksum(weights)
    DAMAGES[damage](weights)
    with pytest.raises(BadInput, match=r"weights\.pt: .*remove this file, and the same command makes its run again"):
        again()
    assert "it ran" not in capfd.readouterr().out
    weights.unlink()
    assert again().tables == record.tables
    assert weights.stat().st_size == len(sound)
    assert Result.read(weights.with_name("result.npz")).weights_sha256 == sha256(weights)
