"""The tables of a `patterns` record."""

import numpy as np

from wordworth.studies.attention_patterns.attention_gradients import TARGETS
from wordworth.studies.attention_patterns.head_attention_sums import MEASURES, HeadSums
from wordworth.studies.attention_patterns.tables import DISTANCES, HEADS, KINDS, LAYERS, Measured, tables_of

HEADS_OF = tuple((layer, head) for layer in range(2) for head in range(3))


def measured(seed, types=((1, 0, 0, 5, 0), (0, 0, 0, 6, 0))):
    rng = np.random.default_rng(seed)
    divergences = rng.random((6, 6)) * 0.1
    divergences = np.triu(divergences, 1) + np.triu(divergences, 1).T
    offsets = np.zeros((6, 21))
    offsets[:, 11] = 0.4
    summed, counts = rng.random((9, len(MEASURES), 6)), np.full((9, len(MEASURES)), 4.0)
    sums = HeadSums(HEADS_OF, summed, counts, np.full(9, 9.0), offsets, divergences, rng.random((9, 2)))
    return Measured(sums, np.arange(9) // 3, rng.random((len(TARGETS), 6)), tuple(map(np.array, types)))


def test_each_head_each_layer_and_each_type_has_a_row():
    tables = tables_of(measured(0), measured(1), 100, 0)
    for name, columns, rows in (
        ("heads", HEADS, 6),
        ("layers", LAYERS, 2),
        ("types", KINDS, 5),
        ("distances", DISTANCES, 2),
    ):
        assert list(tables[name].columns) == list(columns)
        assert len(tables[name].rows()) == rows
    assert sum(row["heads"] for row in tables["types"].rows()) == 6
    assert tables["heads"].rows()[0]["offset"] == 1
    layer = tables["layers"].rows()[1]
    assert layer["entropy_low"] <= layer["entropy"] <= layer["entropy_high"]


def test_types_of_several_encoders_with_random_weights_are_a_mean_with_its_range():
    rows = tables_of(measured(0), measured(1), 100, 0)["types"].rows()
    found = [(row["random"], row["random_least"], row["random_most"]) for row in rows]
    assert found == [(0.5, 0, 1), (0, 0, 0), (0, 0, 0), (5.5, 5, 6), (0, 0, 0)]
