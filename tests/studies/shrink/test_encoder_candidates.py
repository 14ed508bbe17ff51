"""What may take the place of a sentence encoder, each under a head that learned from its own vectors."""

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.load import load
from wordworth.studies.shrink.encoder_candidates import EncoderVariants, read_encoders, vectors_of
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.testing.sample_tasks import sample_task


def test_each_head_learns_from_the_vectors_of_its_own_model(clear_rows):
    task = read_task(clear_rows, ReadSettings(test=0.5))
    every = {each.name: each for each in EncoderVariants("mini", load("mini"), task, 0).candidates()}
    assert [name for name in every if name not in {"bfloat16", "int8"}] == [
        "whole", "first 3 layers", "first 2 layers", "first 1 layer",
    ]  # fmt: skip
    examples = task.examples.take(task.test)
    for name, each in every.items():
        assert (each.predict(examples).argmax(1) == task.gold(task.test)).mean() > 0.9, name
    sizes = [each.num_bytes for name, each in every.items() if name not in {"bfloat16", "int8"}]
    assert sizes == sorted(sizes, reverse=True)


def test_other_encoders_stand_beside_it_with_their_own_sizes(clear_rows, tmp_path):
    """Two folders of one name are told apart, and a student predicts as it does as the whole one."""
    folders = [str(write_tiny_encoder(tmp_path / parent / "small")) for parent in ("one", "two")]
    task = read_task(clear_rows, ReadSettings(test=0.5))
    others = read_encoders(folders)
    every = {each.name: each for each in EncoderVariants("mini", load("mini"), task, 0, others).candidates()}
    assert [name for name, each in every.items() if each.method == "another model"] == ["small", folders[1]]
    alone = next(iter(EncoderVariants(folders[0], load(folders[0]), task, 0).candidates()))
    examples = task.examples.take(task.test)
    assert np.array_equal(every["small"].predict(examples), alone.predict(examples))
    assert every["small"].num_bytes == alone.num_bytes < every["whole"].num_bytes


def test_a_fine_tuned_model_is_no_other_encoder(run):
    with pytest.raises(BadInput, match="this is a fine-tuned model, and a sentence encoder is made smaller"):
        read_encoders([str(run)])


def test_pairs_with_values_are_answered_by_their_cosine():
    task, encoder = sample_task("regression"), load("mini")
    examples = task.examples.take(task.test[:6])
    pairs = type(examples)(examples.first, examples.first[::-1])
    variants = EncoderVariants("mini", encoder, task, 0)
    assert variants.by_cosine == (task.examples.second is not None)
    paired = EncoderVariants("mini", encoder, type(task)(**{**_fields(task), "examples": _doubled(task)}), 0)
    whole = next(iter(paired.candidates()))
    first, second = (vectors_of(encoder, texts) for texts in (pairs.first, pairs.second))
    assert whole.predict(pairs) == pytest.approx((first * second).sum(1), abs=1e-5)


def _fields(task):
    return {name: getattr(task, name) for name in task.__dataclass_fields__}


def _doubled(task):
    return type(task.examples)(task.examples.first, task.examples.first)


def test_unit_vectors_have_length_1_and_zeros_stay():
    vectors = unit_or_zero(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32))
    assert vectors.tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0, 0]]
