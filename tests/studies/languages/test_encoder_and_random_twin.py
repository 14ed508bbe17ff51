import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.studies.languages.encoder_and_random_twin import encoder_of, twin_of


def test_the_twin_has_the_seed_s_random_weights_and_the_encoder_keeps_its_own(files):
    encoder = encoder_of(str(files / "tiny"))
    before = encoder.encode("the film was good")
    first, again, other = (twin_of(encoder, seed).encode("the film was good") for seed in (0, 0, 1))
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)
    assert not np.allclose(first, before)
    assert np.array_equal(encoder.encode("the film was good"), before)


def test_a_static_table_is_refused(tmp_path):
    (tmp_path / "table.txt").write_text("film 1 0 0\nbook 0 1 0\nthe 0 0 1\n")
    with pytest.raises(BadInput, match="a static table has no layers"):
        encoder_of(str(tmp_path / "table.txt"))
