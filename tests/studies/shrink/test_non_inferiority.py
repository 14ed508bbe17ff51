"""A model is enough where its corrected interval lies within the margin; of those the smallest is named."""

import numpy as np

from wordworth.measures.paired_changes import Change
from wordworth.models.pruning import ModelSize
from wordworth.studies.compression_frontier import Variant
from wordworth.studies.shrink.non_inferiority import Judgement


def variant(name, num_bytes, value=0.0, spread=0.002):
    draws = np.random.default_rng(len(name)).normal(value, spread, 2_000)
    return Variant(name, ModelSize(1, 1, 1), num_bytes, "way", 0.9 + value, Change(value, draws), {})


def judged(*variants, margin=0.01):
    return Judgement.of([variant("whole", 100), *variants], margin, rows=500)


def test_the_smallest_of_those_that_are_surely_within_the_margin_is_named():
    judgement = judged(variant("half", 50, -0.001), variant("third", 33, -0.001), variant("tenth", 10, -0.2))
    assert judgement.smallest_within_margin.variant.name == "third"
    assert [candidate.within for candidate in judgement.judged] == ["whole", "yes", "yes", "no"]
    assert judgement.undecided == ()


def test_of_equally_small_ones_the_better_is_named():
    assert (
        judged(variant("bits", 10, -0.002), variant("rescored", 10, -0.001)).smallest_within_margin.variant.name
        == "rescored"
    )


def test_where_the_interval_reaches_beyond_the_margin_the_rows_cannot_tell():
    judgement = judged(variant("half", 50, -0.008), variant("third", 33, -0.05), variant("tenth", 10, 0.0, spread=0.02))
    assert judgement.smallest_within_margin is None
    assert [candidate.within for candidate in judgement.judged] == ["whole", "cannot tell", "no", "cannot tell"]
    assert [candidate.variant.name for candidate in judgement.undecided] == ["tenth", "half"]


def test_rows_that_would_tell_grow_with_the_square_of_the_interval():
    tight, wide = judged(variant("half", 50, 0.0, spread=0.008)), judged(variant("half", 50, 0.0, spread=0.016))
    (first,), (second,) = tight.undecided, wide.undecided
    assert first.rows > 500
    assert 3.8 < second.rows / first.rows < 4.2
    assert judged(variant("half", 50, -0.012, spread=0.02)).undecided[0].rows is None  # more rows would not


def test_a_model_that_is_no_smaller_is_never_the_answer():
    judgement = judged(variant("other", 120, 0.05), variant("same", 100))
    assert judgement.smallest_within_margin is None
    assert [candidate.within for candidate in judgement.judged[1:]] == ["yes", "yes"]


def test_the_level_is_corrected_for_the_number_of_smaller_models():
    one, many = judged(variant("a", 50)), judged(*(variant(str(number), 50) for number in range(10)))
    assert (one.level, many.level) == (0.95, 0.995)
    assert many.judged[1].ends.low < one.judged[1].ends.low


def test_by_luck_a_model_beyond_the_margin_is_rarely_called_enough():
    """Twelve models, each exactly at the margin: at most about a fortieth of the studies may name one."""
    rng, false = np.random.default_rng(0), 0
    for _ in range(400):
        errors = rng.normal(0, 0.004, 12)
        models = [
            Variant(str(number), ModelSize(1, 1, 1), 50, "", 0.9, Change(-0.01 + error, -0.01 + error + _DRAWS), {})
            for number, error in enumerate(errors)
        ]
        false += judged(*models).smallest_within_margin is not None
    assert false <= 22


_DRAWS = np.random.default_rng(1).normal(0, 0.004, 2_000)
