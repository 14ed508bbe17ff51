"""A model's fingerprint changes with its vectors, and with nothing else."""

import numpy as np
from tests.models.tiny import write_tiny
from tests.retrieval.small_index import write_table

import wordworth as ww
from wordworth.models.canary_texts import CANARIES
from wordworth.models.vector_space_identity import VectorSpace, fingerprint_of


def test_a_space_is_its_fingerprint_and_the_vectors_of_its_canaries(tmp_path):
    encoder = ww.load(write_tiny(tmp_path / "tiny"))
    space = VectorSpace.of(encoder)
    assert space.fingerprint == fingerprint_of(encoder)
    assert np.allclose(space.canaries, encoder.encode(list(CANARIES), long_texts="cut"), atol=1e-6)


def test_a_copy_has_the_same_fingerprint_and_other_values_another(tmp_path):
    paths = [write_table(tmp_path / name, seed) for name, seed in (("a.txt", 0), ("b.txt", 0), ("c.txt", 1))]
    prints = [fingerprint_of(ww.load(path)) for path in paths]
    assert prints[0] == prints[1] != prints[2]
    tiny, other = write_tiny(tmp_path / "tiny"), write_tiny(tmp_path / "other", num_hidden_layers=1)
    same = fingerprint_of(ww.load(tiny)), fingerprint_of(ww.load(tiny))
    assert same[0] == same[1]
    assert fingerprint_of(ww.load(other)) != same[0]
    assert fingerprint_of(ww.load(tiny, dtype="bfloat16")) != same[0]
