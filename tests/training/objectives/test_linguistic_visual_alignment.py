"""Alignment of two sides: which sequences are judged, under a name and head of its own."""

import numpy as np
from tests.training.crossmodal.made_up import pairs

from wordworth.training.crossmodal.paired_stream import PairedStream, SequenceShares
from wordworth.training.objectives import OBJECTIVES
from wordworth.training.objectives.linguistic_visual_alignment import Alignment


def test_pairs_with_a_label_are_judged_and_no_others():
    instances = PairedStream(pairs(50), SequenceShares(words=0.2), 50, 64, 0).batch(0)
    same, targets = Alignment().prepare(instances, np.random.default_rng(0))
    assert same is instances
    assert targets.level == "sequences"
    assert np.array_equal(targets.positions, np.flatnonzero(instances.labels >= 0))
    assert np.array_equal(targets.labels, instances.labels[targets.positions])


def test_it_is_registered():
    assert OBJECTIVES.get("alignment") is Alignment
    assert (Alignment().name, Alignment().head_name) == ("alignment", "alignment")
