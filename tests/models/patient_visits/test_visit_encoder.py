"""Sets of codes become vectors that do not depend on order or on what is beside them in a batch."""

import numpy as np
import pytest
import torch

from wordworth.models.patient_visits.ontology_embedding import CodeTable
from wordworth.models.patient_visits.visit_encoder import FIRST, VisitEncoder, distinct_sets, packed
from wordworth.models.transformer_config import TransformerConfig

SIZES = (5, 3)
CONFIG = TransformerConfig(hidden_size=8, num_layers=2, num_heads=2, intermediate_size=8, initializer_range=0.5)
FLAGS = [np.array([[1, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 1, 0, 0, 1]], dtype=bool), np.eye(3, dtype=bool)]


@pytest.fixture(scope="module")
def encoder():
    generator = torch.Generator().manual_seed(1)
    return VisitEncoder([CodeTable(size, 8, generator) for size in SIZES], SIZES, CONFIG, generator).eval()


def encoded(encoder, flags):
    return encoder([encoder.code_ids(kind, each) for kind, each in enumerate(flags)], len(flags[0]))


def test_a_batch_holds_a_first_token_and_the_codes_of_each_set():
    batch = packed([[np.array([2, 4]), np.array([], dtype=np.int64)], [np.array([7])]])
    assert batch.ids.tolist() == [FIRST, 2, 4, FIRST, FIRST, 7]
    assert batch.segments.tolist() == [0, 0, 0, 0, 1, 1]
    assert batch.starts.tolist() == [0, 3, 4, 6]


def test_equal_sets_are_one_in_any_order():
    sets, of_visit = distinct_sets(np.array([0, 0, 2, 3, 3]), np.array([5, 3, 4, 3, 5]), 5)
    assert [each.tolist() for each in sets] == [[3, 5], [], [4]]
    assert of_visit.tolist() == [0, 1, 2, 0, 1]


def test_equal_visits_have_equal_vectors_with_dropout_too(encoder):
    same = [np.repeat(each[:1], 2, axis=0) for each in FLAGS]
    for first, second in encoded(encoder.train(), same):
        assert torch.equal(first, second)
    encoder.eval()


def test_vectors_do_not_depend_on_the_other_visits_of_a_batch(encoder):
    together = encoded(encoder, FLAGS)
    for visit in range(3):
        alone = encoded(encoder, [each[visit : visit + 1] for each in FLAGS])
        for whole, own in zip(together, alone, strict=True):
            torch.testing.assert_close(whole[visit], own[0])


def test_vectors_do_not_depend_on_the_order_of_codes(encoder):
    visit, codes = encoder.code_ids(0, FLAGS[0])
    swapped = np.array([codes[1], codes[0], codes[3], codes[2]])
    targets = encoder.code_ids(1, FLAGS[1])
    torch.testing.assert_close(encoder([(visit, swapped), targets], 3)[0], encoder([(visit, codes), targets], 3)[0])


def test_vectors_of_different_sets_differ(encoder):
    vectors = encoded(encoder, FLAGS)[0]
    assert torch.pdist(vectors).min() > 0.01
