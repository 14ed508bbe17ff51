"""Story endings out of a corpus."""

import json
from collections import Counter

import numpy as np
import pytest

from story_endings import Passage, endings, parts, passages, write_endings
from wordworth.errors import BadInput

TEXT = " ".join(f"The story of sentence {number} goes on." for number in range(17))


def made(documents, each):
    return [
        Passage(number, f"context {number} {row}", f"ending {number} {row}")
        for number in range(documents)
        for row in range(each)
    ]


def test_passages_are_five_sentences_in_a_row_that_do_not_overlap():
    cut = passages(3, TEXT, most=9)
    assert [passage.document for passage in cut] == [3, 3, 3]
    assert cut[0].context.count("sentence") == 4
    assert cut[1].ending == "The story of sentence 9 goes on."
    assert len(passages(3, TEXT, most=2)) == 2
    assert passages(0, "Too short. So is this. " * 5, most=9) == []


def test_each_ending_is_right_once_and_wrong_once_and_from_another_document():
    of = made(5, 4)
    rows = endings(of, np.random.default_rng(0))
    assert len(rows) == len(of)
    right = Counter(row["options"][row["label"]] for row in rows)
    wrong = Counter(row["options"][1 - row["label"]] for row in rows)
    assert right == wrong == Counter(passage.ending for passage in of)
    for row in rows:
        document = row["context"].split()[1]
        assert row["options"][row["label"]].split()[1] == document != row["options"][1 - row["label"]].split()[1]


def test_a_document_is_in_one_part():
    train, test = parts(made(10, 3), 0.4, np.random.default_rng(0))
    assert not {passage.document for passage in train} & {passage.document for passage in test}
    assert len(test) == 12


def test_the_files_are_those_that_fine_tuning_reads(tmp_path):
    corpus = tmp_path / "corpus.jsonl"
    texts = [TEXT.replace("story", f"story {number}") for number in range(6)]
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    counts = write_endings([corpus], tmp_path / "out", most=9, share=0.4, seed=0)
    assert counts == {"train": 9, "test": 9}
    row = json.loads((tmp_path / "out" / "train.jsonl").read_text().splitlines()[0])
    assert set(row) == {"context", "options", "label"}
    corpus.write_text(json.dumps({"text": TEXT}) + "\n")
    with pytest.raises(BadInput, match="fewer than 4 documents have 5 sentences in a row"):
        write_endings([corpus], tmp_path / "out", most=9, share=0.4, seed=0)
