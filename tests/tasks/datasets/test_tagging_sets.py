"""CoNLL and the biomedical sets: sentences, entities and documents as published."""

import pytest
from tests.tasks.datasets.data_folder import DATA, needs

from wordworth.measures.chunk_f1 import chunks, scheme
from wordworth.tasks.datasets import find_dataset_spec

REAL = {
    "conll2003": {"train": (14041, 203_621, 23_499), "dev": (3250, 51_362, 5942), "test": (3453, 46_435, 5648)},
    "conll2002_es": {"train": (8323, 264_715, 18_798), "dev": (1915, 52_923, 4352), "test": (1517, 51_533, 3559)},
    "conll2002_nl": {"train": (15_806, 202_644, 13_344), "dev": (2895, 37_687, 2616), "test": (5195, 68_875, 3941)},
    "ncbi_disease": {"train": (5424, 135_701, 5134), "dev": (923, 23_969, 787), "test": (940, 24_497, 960)},
    "bc5cdr": {"train": (4560, 118_170, 9385), "dev": (4581, 117_453, 9593), "test": (4797, 124_750, 9809)},
}
DOCUMENTS = {"conll2003": (946, 216, 231), "conll2002_nl": (287, 74, 119)}


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_the_real_sets_hold_what_was_published(name: str) -> None:
    needs(name)
    task = find_dataset_spec(name)
    parts = task.parts(("train", "dev", "test"), DATA)
    for part, (sentences, words, entities) in REAL[name].items():
        found = parts[part]
        assert (len(found), sum(map(len, found.labels))) == (sentences, words)
        assert len(chunks(tuple(found.labels), scheme(task.classes)).start) == entities
    if name in DOCUMENTS:
        assert tuple(len(set(part.examples.documents or ())) for part in parts.values()) == DOCUMENTS[name]
