"""CoNLL's files: sentences, tags and documents."""

from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task

FIRST = "EU NNP I-NP I-ORG\nlikes VBZ I-VP O\nRome NNP I-NP I-LOC\nParis NNP I-NP B-LOC\n"
FILE = f"-DOCSTART- -X- O O\n\n{FIRST}\n-DOCSTART- -X- O O\n\nPeter NNP I-NP I-PER\n"


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
