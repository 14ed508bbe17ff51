"""CoNLL and the biomedical sets: sentences, entities and documents as published."""

from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import DATA, needs, write

from wordworth.errors import BadInput
from wordworth.measures.chunk_f1 import chunks, scheme
from wordworth.tasks.datasets import find_dataset_spec, named_task

FIRST = "EU NNP I-NP I-ORG\nlikes VBZ I-VP O\nRome NNP I-NP I-LOC\nParis NNP I-NP B-LOC\n"
FILE = f"-DOCSTART- -X- O O\n\n{FIRST}\n-DOCSTART- -X- O O\n\nPeter NNP I-NP I-PER\n"
REAL = {
    "conll2003": {"train": (14041, 203_621, 23_499), "dev": (3250, 51_362, 5942), "test": (3453, 46_435, 5648)},
    "conll2002_es": {"train": (8323, 264_715, 18_798), "dev": (1915, 52_923, 4352), "test": (1517, 51_533, 3559)},
    "conll2002_nl": {"train": (15_806, 202_644, 13_344), "dev": (2895, 37_687, 2616), "test": (5195, 68_875, 3941)},
    "ncbi_disease": {"train": (5424, 135_701, 5134), "dev": (923, 23_969, 787), "test": (940, 24_497, 960)},
    "bc5cdr": {"train": (4560, 118_170, 9385), "dev": (4581, 117_453, 9593), "test": (4797, 124_750, 9809)},
}
DOCUMENTS = {"conll2003": (946, 216, 231), "conll2002_nl": (287, 74, 119)}


def test_tags_become_iob2_and_documents_are_numbered_through(tmp_path: Path) -> None:
    task = named_task("conll2003", folder=write(tmp_path, {"eng.train": FILE, "eng.testa": FILE}))
    said = [[task.classes[tag] for tag in row] for row in task.gold(task.train)]
    assert said == [["B-ORG", "O", "B-LOC", "B-LOC"], ["B-PER"]]
    assert task.examples.words is not None
    assert task.examples.words[0] == ("EU", "likes", "Rome", "Paris")
    assert task.examples.documents == (0, 1, 2, 3)
    assert task.examples.take([1, 3]).documents == (1, 3)


def test_a_tag_outside_the_scheme_is_named_with_its_line(tmp_path: Path) -> None:
    write(tmp_path, {"eng.train": FILE, "eng.testa": FILE.replace("I-PER", "I-PERS")})
    with pytest.raises(BadInput, match=r"eng\.testa, line 10: tag 'I-PERS'; did you mean '[BI]-PER'"):
        named_task("conll2003", folder=tmp_path)


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
