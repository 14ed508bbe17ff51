"""Documents are on one side only; a name is found in the data folder; what cannot be split is refused."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.studies.treebank_sample import halves, is_counted, probe_split, treebank_path
from wordworth.text.treebank import ROOT, DependencySentence


def test_documents_are_not_split():
    documents = np.repeat(np.arange(10), 7)
    choosing, measuring = halves(documents, 0)
    assert not set(documents[choosing]) & set(documents[measuring])
    assert len(choosing) + len(measuring) == 70


def test_documents_are_on_one_side_only():
    documents = np.repeat(np.arange(40), 3)
    split = probe_split(documents, np.ones(120), 0, "t.conllu")
    parts = [set(documents[rows]) for rows in (split.train, split.held_out, split.test)]
    assert [len(part) for part in parts] == [18, 2, 20]
    assert not parts[0] & parts[1]
    assert not (parts[0] | parts[1]) & parts[2]
    assert sorted(np.concatenate([split.train_and_held_out, split.test])) == list(range(120))
    assert split.facts == {"training": 54, "held_out": 6}


def test_a_treebank_of_its_own_measures_whole():
    documents, measuring = np.arange(40), np.arange(30, 40)
    split = probe_split(documents, np.ones(40), 0, "t.conllu", measuring)
    assert split.test.tolist() == measuring.tolist()
    assert sorted(split.train_and_held_out) == list(range(30))
    assert len(split.held_out) == 3


@pytest.mark.parametrize(("documents", "fits"), [(7, False), (8, True)])
def test_too_few_documents_are_refused(documents, fits):
    if fits:
        assert len(probe_split(np.arange(documents), np.ones(documents), 0, "t.conllu").held_out) == 1
        return
    with pytest.raises(BadInput, match="7 documents are too few"):
        probe_split(np.arange(documents), np.ones(documents), 0, "t.conllu")
    with pytest.raises(BadInput, match="1 document is too few"):
        probe_split(np.zeros(9, int), np.ones(9), 0, "t.conllu")


def test_a_part_of_punctuation_alone_is_refused():
    with pytest.raises(BadInput, match="no word but punctuation"):
        probe_split(np.arange(20), np.arange(20) == 3, 0, "t.conllu")


def test_all_but_punctuation_is_counted():
    relations = ("det", "nsubj:pass", "root", "punct:x")
    one = DependencySentence(("The", "zyzzyvas", "sat", "."), np.array([1, 2, ROOT, 2]), relations, 0, 1)
    assert is_counted(one).tolist() == [True, True, True, False]


def test_a_name_is_found_in_the_data_folder(monkeypatch, tmp_path):
    folder = tmp_path / "syntax" / "ud"
    folder.mkdir(parents=True)
    for part in ("dev", "train"):
        (folder / f"en_ewt-ud-{part}.conllu").write_text("x")
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    assert treebank_path("en_ewt") == folder / "en_ewt-ud-dev.conllu"
    assert treebank_path("en_ewt", "train") == folder / "en_ewt-ud-train.conllu"
