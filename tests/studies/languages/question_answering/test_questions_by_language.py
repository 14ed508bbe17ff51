from pathlib import Path

import numpy as np
import pytest
from tests.studies.languages.question_answering.question_files import write_folder

from wordworth.errors import BadInput
from wordworth.studies.languages.question_answering.questions_by_language import asked_languages
from wordworth.studies.languages.settings import LanguagesSettings


def read(folder, **choices):
    return asked_languages(folder, LanguagesSettings(**choices))


def test_questions_are_parallel_and_no_context_is_on_both_sides(folder):
    data = read(folder, source="bb")
    assert data.languages == ("bb", "aa", "cc")
    for part in (data.train, data.test):
        assert len({each.examples.ids for each in part}) == 1
        assert len(part[0]) == 36
        for each in part:
            assert np.array_equal(each.contexts, part[0].contexts)
            for context, gold in zip(each.context_texts, each.answers, strict=True):
                assert context.startswith(gold[0].text, gold[0].start)
    assert [
        len({*train.context_texts, *test.context_texts}) for train, test in zip(data.train, data.test, strict=True)
    ] == [24] * 3
    assert set(data.train[0].contexts).isdisjoint(data.test[0].contexts)
    assert (len(data.part(0, test=False).context_texts), Path(data.origins[0].path).name) == (36, "films.bb.json")


def test_questions_are_found_by_their_ids_whatever_their_order(tmp_path):
    def turned(language, made):
        if language == "bb":
            made["data"][0]["paragraphs"].reverse()

    data = read(write_folder(tmp_path / "films", change=turned))
    assert data.train[0].examples.ids == data.train[1].examples.ids


def test_whole_contexts_are_drawn_and_the_share_that_tests_is_as_asked(folder):
    data = read(folder, limit=66, test=0.5)
    assert (len(data.train[0]), len(data.test[0])) == (33, 33)
    assert set(np.bincount(data.train[0].contexts)) == {0, 3}
    tested = read(folder, test=0.55)
    assert [len(set(part[0].contexts)) for part in (tested.train, tested.test)] == [11, 13]


def without_an_id(language, made):
    if language == "bb":
        del made["data"][0]["paragraphs"][3]["qas"][1:]


def with_other_ids(language, made):
    if language == "bb":
        made["data"][0]["paragraphs"][3]["qas"].append({"id": "x", "question": "new", "answers": [ANSWER]})


ANSWER = {"text": "3", "answer_start": 13}


def without_text(language, made):
    for paragraph in made["data"][0]["paragraphs"] if language == "cc" else ():
        paragraph["context"] = " "
        for asked in paragraph["qas"]:
            asked["answers"] = [{"text": " ", "answer_start": 0}]


def without_a_question(language, made):
    if language == "cc":
        made["data"][0]["paragraphs"][0]["qas"][0]["question"] = " "


def without_an_answer(language, made):
    if language == "cc":
        made["data"][0]["paragraphs"][0]["qas"][0]["answers"] = []


def with_one_context(language, made):
    if language == "cc":
        for number in (0, 23):
            made["data"][0]["paragraphs"][number]["context"] = "same"
            for asked in made["data"][0]["paragraphs"][number]["qas"]:
                asked["answers"] = [{"text": "same", "answer_start": 0}]


def in_another_form(language, made):
    if language == "bb":
        made["data"] = [{"context": "text"}]


@pytest.mark.parametrize(
    ("change", "choices", "message"),
    [
        (without_an_id, {}, "'bb' lacks 2 questions that 'aa' has, such as '3-"),
        (with_other_ids, {}, "'aa' lacks 1 question that 'bb' has, such as 'x'"),
        (without_text, {}, "the language 'cc' has no text"),
        (without_a_question, {}, "1 question in 'cc' without question or context, such as '0-"),
        (without_an_answer, {}, "1 question in 'cc' without answer, such as '0-"),
        (with_one_context, {}, "one context of 'cc' stands for two contexts of 'aa'"),
        (in_another_form, {}, "this is not a SQuAD file: no 'paragraphs'"),
        (None, {"languages": ("aa", "dd")}, "no file of questions in 'dd'"),
        (None, {"languages": ("aa",)}, "one language cannot be compared"),
        (None, {"source": "dd"}, "no text in 'dd'"),
        (None, {"test": 0.1}, "2 contexts cannot be learned from and measured"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, change, choices, message):
    folder = write_folder(tmp_path / "films", change=change)
    with pytest.raises(BadInput, match=message) as refused:
        read(folder, **choices)
    assert refused.value.mend


def test_a_language_has_one_file(tmp_path):
    folder = write_folder(tmp_path / "films")
    (folder / "films.aa.json").rename(folder / "films.aa_train.json")
    with pytest.raises(BadInput, match="the questions in 'aa' are divided into files"):
        read(folder)


def test_misplaced_answers_are_noted_with_their_language(tmp_path):
    def moved(language, made):
        if language == "bb":
            made["data"][0]["paragraphs"][0]["qas"][0]["answers"][0]["answer_start"] += 1

    (note,) = read(write_folder(tmp_path / "films", change=moved)).notes
    assert note.name == "warning.misplaced_answers.bb"
    assert note.text.startswith("bb: one of 72") or note.text.startswith("bb: 1 of 72")
