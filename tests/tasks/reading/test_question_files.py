"""A user's own questions, on texts or with options, as tasks to fine-tune on."""

import json

import pytest

from wordworth.errors import BadInput
from wordworth.tasks.reading.question_files import read_own_questions
from wordworth.tasks.reading.read_task import ReadSettings, read_task

THINGS = ("film", "book", "song", "hotel", "dinner", "phone")

QA, CHOICE = "question_answering", "multiple_choice"


def contexts(count):
    return [f"number {row // 2} was a {THINGS[row // 2 % 6]} that we liked" for row in range(count)]


def spans(count=60):
    """Two questions on each context."""
    found = []
    for text in contexts(count):
        thing = text.split()[4]
        answers = [{"text": thing, "answer_start": text.index(thing)}]
        found.append({"question": "what was it?", "context": text, "answers": answers})
    return found


def choices(count=60):
    texts = contexts(count)
    return [{"context": text, "options": ["good", "bad", "so so"], "label": row % 3} for row, text in enumerate(texts)]


def squad(rows):
    paragraphs = [
        {
            "context": row["context"],
            "qas": [{"id": f"q{number}", "question": row["question"], "answers": row["answers"]}],
        }
        for number, row in enumerate(rows)
    ]
    return {"data": [{"paragraphs": paragraphs}]}


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def hubs(rows):
    """The same answers as the hub has them: an object of lists."""
    return [
        {**row, "answers": {key: [one[key] for one in row["answers"]] for key in ("text", "answer_start")}}
        for row in rows
    ]


def test_squads_own_file_and_rows_in_either_form_give_the_same_questions(tmp_path):
    (tmp_path / "a.json").write_text(json.dumps(squad(spans())))
    tasks = [
        read_own_questions(path, QA, ReadSettings())
        for path in (
            tmp_path / "a.json",
            lines(tmp_path / "b.jsonl", spans()),
            lines(tmp_path / "c.jsonl", hubs(spans())),
        )
    ]
    assert {task.examples.second for task in tasks} == {tuple(contexts(60))}
    assert [task.answers for task in tasks] == [tasks[0].answers] * 3
    assert [list(task.test) for task in tasks] == [list(tasks[0].test)] * 3
    assert tasks[0].answers[0][0].text == "film"
    assert tasks[0].metric == "span_f1"


@pytest.mark.parametrize(("kind", "rows"), [(QA, spans()), (CHOICE, choices())])
def test_no_context_stands_in_both_parts_and_a_share_or_a_file_is_tested_on(tmp_path, kind, rows):
    path = lines(tmp_path / "all.jsonl", rows)
    task = read_own_questions(path, kind, ReadSettings(test=0.2))
    texts = task.examples.first if kind == CHOICE else task.examples.second
    learned, tested = ({texts[row] for row in part} for part in (task.train, task.test))
    assert not learned & tested
    assert len(learned | tested) == 30
    assert len(task.test) == 12
    own = lines(tmp_path / "own.jsonl", rows[:10])
    task = read_own_questions(path, kind, ReadSettings(test=str(own)))
    assert (list(task.train), list(task.test)) == (list(range(60)), list(range(60, 70)))
    task = read_own_questions(path, kind, ReadSettings(limit=30))
    assert len(task.train) + len(task.test) == 30


def test_columns_of_choices_are_found_by_usual_names_or_named(tmp_path):
    rows = [{"prompt": row["context"], "endings": row["options"], "right": row["label"]} for row in choices()]
    task = read_own_questions(lines(tmp_path / "a.jsonl", rows), CHOICE, ReadSettings(label="right"))
    assert task.examples.options[0] == ("good", "bad", "so so")
    assert list(task.labels[:4]) == [0, 1, 2, 0]


def test_a_question_whose_answer_is_misplaced_is_not_learned_from(tmp_path):
    rows = spans()
    rows[3]["answers"][0]["answer_start"] += 1
    task = read_own_questions(lines(tmp_path / "a.jsonl", rows), QA, ReadSettings(test=str(tmp_path / "a.jsonl")))
    assert 3 not in task.train
    assert len(task.train) == 59
    assert any(one.name == "warning.misplaced_answers" for one in task.warnings)


def change(rows, **cells):
    return [{**rows[0], **cells}, *rows[1:]]


@pytest.mark.parametrize(("kind", "rows", "settings", "said"), [
    (QA, spans(8), {}, "8 questions are too few"),
    (QA, change(spans(), answers="film"), {}, r"a.jsonl, line 1: this cell does not hold answers; write \["),
    (QA, [{"question": "what?", "context": "a film"}] * 30, {}, "column 'answers' not found"),
    (QA, spans(), {"label": "x"}, "`label`: a file of kind question_answering does not take this option"),
    (QA, spans(), {"metric": "accuracy"}, f"metric 'accuracy' does not measure a task of kind {QA}"),
    (CHOICE, change(choices(), label=""), {}, "line 1: the label is empty; write the number of the right"),
    (CHOICE, change(choices(), label=3), {}, r"line 1: label '3' is not one of 0 to 2; mend the row"),
    (CHOICE, change(choices(), options=["one"]), {}, r"does not hold a list of two options or more"),
    (CHOICE, [{"context": "a", "label": 0}] * 30, {}, "no column 'options' or 'choices' or 'endings'"),
    (CHOICE, choices(), {"test": "none.jsonl"}, "none.jsonl: there is no such file"),
    (QA, spans(), {"group": "author"}, "`group`: questions of kind question_answering are split by their texts"),
    (QA, spans(), {"second_label": "again"}, "`second_label`: a file of kind question_answering does not take this"),
    (CHOICE, choices(), {"time": "date"}, "`time`: questions of kind multiple_choice are split by their texts alone"),
])  # fmt: skip
def test_what_cannot_be_used_is_told_with_its_place(tmp_path, kind, rows, settings, said):
    with pytest.raises(BadInput, match=said):
        read_own_questions(lines(tmp_path / "a.jsonl", rows), kind, ReadSettings(**settings))


def test_the_ladder_says_which_command_takes_such_a_file(tmp_path):
    with pytest.raises(BadInput, match="wordworth finetune --data FILE --kind multiple_choice"):
        read_task(lines(tmp_path / "a.jsonl", choices()), ReadSettings(kind=CHOICE, text="context"))


@pytest.mark.parametrize(("kind", "rows"), [(QA, spans()), (CHOICE, choices())])
def test_test_questions_on_texts_that_are_learned_from_are_counted_and_told(tmp_path, kind, rows):
    train, other = lines(tmp_path / "train.jsonl", rows[:40]), lines(tmp_path / "other.jsonl", rows[40:])
    overlapping = lines(tmp_path / "test.jsonl", rows[36:])
    names = [finding.name for finding in read_own_questions(train, kind, ReadSettings(test=other)).warnings]
    assert "warning.shared_contexts" not in names
    told = {each.name: each for each in read_own_questions(train, kind, ReadSettings(test=overlapping)).warnings}
    assert told["warning.shared_contexts"].text.startswith(
        "4 of 24 test questions are on texts that are in the training part"
    )
