"""The texts of a plan: what is held out, what shares text with the task, and what is too little."""

import pytest
from tests.studies.adaptation.conftest import odd_documents, write

from wordworth.errors import BadInput
from wordworth.studies.adaptation import samples
from wordworth.studies.adaptation.samples import corpus_sample, require_other_text, task_texts

TASK = tuple(f"this is text number {number} of the task" for number in range(30))


def test_every_twentieth_document_is_held_out_and_none_is_learned(tmp_path):
    path = write(tmp_path / "corpus.jsonl", odd_documents(0, 100))
    sample = corpus_sample([path], "text", TASK)
    assert (len(sample.learned), len(sample.held_out)) == (95, 5)
    assert not set(sample.learned) & set(sample.held_out)
    assert sample.is_whole


def test_documents_that_share_text_with_the_task_are_left_out_and_counted(tmp_path):
    path = write(tmp_path / "corpus.jsonl", [*odd_documents(0, 60), *TASK[:3]])
    sample = corpus_sample([path], "text", TASK)
    assert sample.overlapping == 3
    assert not set(TASK) & {*sample.learned, *sample.held_out}


def test_of_a_large_corpus_the_beginning_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(samples, "MOST_CHARACTERS", 3_000)
    path = write(tmp_path / "corpus.jsonl", odd_documents(0, 200))
    sample = corpus_sample([path], "text", TASK)
    assert not sample.is_whole
    assert 3_000 < sample.characters < 3_200


def test_too_few_documents_or_texts_are_refused(tmp_path):
    few = write(tmp_path / "few.jsonl", odd_documents(0, 39))
    with pytest.raises(BadInput, match="a plan needs 40 documents or more that share no text with the task"):
        corpus_sample([few], "text", TASK)
    with pytest.raises(BadInput, match="a plan needs 20 texts of the task, and there are 15"):
        task_texts(write(tmp_path / "task.jsonl", TASK[:15]), "text")


def test_a_corpus_that_holds_the_task_and_a_control_that_is_the_corpus_are_refused(tmp_path):
    same = write(tmp_path / "same.jsonl", [*TASK, *odd_documents(0, 10)])
    with pytest.raises(BadInput, match="there are 10: 30 share 13 words in a row with it, or are one of its texts"):
        corpus_sample([same], "text", TASK)
    corpus, other = (
        corpus_sample([write(tmp_path / f"{seed}.jsonl", odd_documents(seed, 60))], "text", TASK) for seed in (0, 1)
    )
    require_other_text(other, corpus)
    with pytest.raises(BadInput, match="the control has no text that the corpus lacks"):
        require_other_text(corpus, corpus)


def test_every_line_of_a_text_file_is_a_text_of_the_task(tmp_path):
    path = tmp_path / "task.txt"
    path.write_text("\n".join(TASK) + "\n")
    assert task_texts(path, "text") == TASK
