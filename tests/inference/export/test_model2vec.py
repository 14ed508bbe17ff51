"""The table of a model's pieces is a folder that loads, with a vector for every piece."""

from tests.models.tiny import write_tiny

import wordworth as ww


def test_the_table_loads_and_is_as_wide_as_the_encoder_or_less(tmp_path):
    encoder = write_tiny(tmp_path / "encoder", "bert")
    table = ww.load(ww.export(encoder, tmp_path / "table", to="model2vec"))
    assert 0 < table.encode(["the cat sat"]).shape[1] <= ww.load(encoder).width
    assert table.encode(["the cat sat"]).any()
