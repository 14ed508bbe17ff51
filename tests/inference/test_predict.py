"""What a fine-tuned model answers, and that it reads a file as its training did."""

import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from tests.inference.tuned_model import BRIEF, tagged, unanswered
from tests.studies.finetune.cases import LONGER
from tests.tasks.reading.test_question_files import lines, spans, squad

from wordworth.errors import BadInput
from wordworth.inference.predict import load_run, predict
from wordworth.measures.metrics import metric
from wordworth.progress import SILENT
from wordworth.studies.finetune import finetune
from wordworth.tasks.reading.read_task import read_task
from wordworth.testing.sample_tasks import sample_task


@pytest.mark.parametrize(("rows", "doubted"), [(spans(), {}), (unanswered(), {"no_answer": 1.0})])
def test_in_an_empty_context_no_answer_is_found_and_that_is_said(encoder, tmp_path, rows, doubted):
    finetune(data=lines(tmp_path / "asked.jsonl", rows), kind="span", model=encoder, out=tmp_path / "run", **BRIEF)
    empty = [{"question": "what was it?", "context": context, "answers": []} for context in ("", " \n")]
    notes = []
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    predict(tmp_path / "run", lines(tmp_path / "in.jsonl", empty), tmp_path / "out.jsonl", progress=told)
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [answer.pop("input")["question"] for answer in answers] == [row["question"] for row in empty]
    values = {"answer": "", "prediction": "", "start": None, **doubted}
    assert answers == [{"id": number, "row": number, **values} for number in range(2)]
    (tmp_path / "in.json").write_text(json.dumps(squad(empty)))
    predict(tmp_path / "run", tmp_path / "in.json", tmp_path / "out.json", progress=told)
    assert json.loads((tmp_path / "out.json").read_text()) == {"q0": "", "q1": ""}
    assert sum("2 rows without a text" in note for note in notes) == 2


def test_every_look_is_judged_by_what_would_be_answered_from_there_the_threshold_among_it(encoder, tmp_path):
    rows = [row if number % 4 else row | {"answers": []} for number, row in enumerate(spans(240))]
    data = lines(tmp_path / "asked.jsonl", rows)
    record = finetune(data=data, kind="span", model=encoder, out=tmp_path / "run", **{**BRIEF, "epochs": 3})
    (run,) = record.tables["runs"].rows()
    looks = {look["step"]: look["dev"] for look in record.tables["evaluations"].rows()}
    assert record.settings["threshold"] != 0
    assert run["dev"] == max(looks.values()) == looks[run["kept_step"]]


@pytest.mark.parametrize("documents", [0, 5])
def test_sentences_are_answered_with_the_neighbours_that_training_gave_them(encoder, tmp_path, documents):
    path = tagged(tmp_path / "tagged.jsonl", documents)
    longer = {**BRIEF, "epochs": 14, "context": 64}
    record = finetune(data=path, model=encoder, out=tmp_path / "run", **longer)
    assert ("marks no documents" in record.finding("method.head").text) == (not documents)
    notes = []
    predict(
        tmp_path / "run", path, tmp_path / "out.jsonl", progress=SimpleNamespace(step=SILENT.step, note=notes.append)
    )
    answers = [json.loads(line)["tags"] for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    task = read_task(path)
    said = tuple(np.array([task.classes.index(tag) for tag in answers[row]]) for row in task.test)
    score = metric(task.metric, task.classes).score(task.gold(task.test), said)
    assert float(score) == pytest.approx(record.table("scores")["best"][0])
    assert [note for note in notes if "no documents are marked" in note] == notes
    assert len(notes) == (not documents)


def test_a_file_like_the_one_learned_from_is_read_by_the_same_columns(encoder, tmp_path):
    rows = [
        {"message": f"{'good' if number % 2 else 'bad'} film {number}", "class": number % 2} for number in range(60)
    ]
    for name, count in (("learned", 60), ("asked", 4)):
        lines(tmp_path / f"{name}.jsonl", rows[:count])
    data = tmp_path / "learned.jsonl"
    finetune(data=data, text="message", label="class", model=encoder, out=tmp_path / "run", **BRIEF)
    assert predict(tmp_path / "run", tmp_path / "asked.jsonl", tmp_path / "out.jsonl").rows == 4
    lines(tmp_path / "other.jsonl", [{"remark": "good film"}])
    with pytest.raises(BadInput, match=r"give `text` NAME, or name it 'message'; .*available: 'remark'"):
        predict(tmp_path / "run", tmp_path / "other.jsonl", tmp_path / "out.jsonl")
    notes = []
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    lines(tmp_path / "pairs.jsonl", [{"text_a": "good film", "text_b": "bad"}])
    predict(tmp_path / "run", tmp_path / "pairs.jsonl", tmp_path / "out.jsonl", progress=told)
    assert [note.partition(": ")[2] for note in notes] == [
        "texts are read from column 'text_a', as there is no 'message'",
        "column 'text_b' is left out, as the model reads one text a row",
    ]
    (tmp_path / "dev.json").write_text("{}")
    with pytest.raises(BadInput, match=r"dev\.json: a \.json holds SQuAD's questions.*of kind classification"):
        predict(tmp_path / "run", tmp_path / "dev.json", tmp_path / "out.json")


def test_words_without_tags_are_tagged_and_come_back_as_conll(encoder, tmp_path):
    finetune(data=tagged(tmp_path / "learned.jsonl", 0), model=encoder, out=tmp_path / "run", **BRIEF)
    (tmp_path / "words.conll").write_text("one\ntwo\n\nthree\n")
    assert predict(tmp_path / "run", tmp_path / "words.conll", tmp_path / "tags.conll").rows == 2
    found = [line.split("\t") for line in (tmp_path / "tags.conll").read_text().splitlines()]
    assert [line[0] for line in found] == ["one", "two", "", "three", ""]
    assert all(len(line) == 2 for line in found if line[0])
    with pytest.raises(BadInput, match="a word without a tag"):
        read_task(tmp_path / "words.conll")


@pytest.fixture(scope="module")
def run(encoder, tmp_path_factory):
    out = tmp_path_factory.mktemp("run")
    return out, finetune(sample_task("single", 180), model=encoder, out=out, **LONGER)


def test_the_model_kept_says_of_the_test_part_what_the_record_counted(run, tmp_path):
    out, record = run
    task = sample_task("single", 180)
    rows = tmp_path / "in.jsonl"
    rows.write_text(
        "".join(json.dumps({"text": task.examples.first[row], "id": f"r{row}"}) + "\n" for row in task.test)
    )
    assert predict(out, rows, tmp_path / "out.jsonl").rows == len(task.test)
    said = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    right = np.mean([one["label"] == task.classes[gold] for one, gold in zip(said, task.gold(task.test), strict=True)])
    assert right == pytest.approx(record.table("scores")["best"][0])
    assert said[0]["id"] == f"r{task.test[0]}"
    assert sum(said[0]["probabilities"].values()) == pytest.approx(1, abs=1e-3)
    excel = tmp_path / "excel.csv"
    excel.write_text("id;text\n" + "".join(f"r{row};{task.examples.first[row]}\n" for row in task.test))
    predict(out, excel, tmp_path / "again.jsonl")
    assert [json.loads(line)["label"] for line in (tmp_path / "again.jsonl").read_text().splitlines()] == [
        one["label"] for one in said
    ]


def test_rows_without_a_text_are_counted_and_have_no_answer(run, tmp_path):
    notes = []
    (tmp_path / "in.jsonl").write_text('{"text": "good"}\n{"text": " "}\n{"text": null}\n')
    told = SimpleNamespace(step=SILENT.step, note=notes.append)
    report = predict(run[0], tmp_path / "in.jsonl", tmp_path / "out.jsonl", progress=told)
    assert (report.rows, report.empty) == (3, 2)
    assert any("2 rows without a text, and so without a prediction" in note for note in notes)
    answers = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [answer["label"] is None for answer in answers] == [False, True, True]
    shares = dict.fromkeys(f"probability_{name}" for name in load_run(run[0]).classes)
    values = {"id": 1, "label": None, "probabilities": None, "row": 1, "prediction": None, **shares}
    assert answers[1] == {**values, "input": {"text": " "}}


def test_a_row_that_lacks_what_is_asked_leaves_no_answers(run, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"txt": "good"}\n{"txt": "bad"}\n')
    with pytest.raises(BadInput, match=r"in\.jsonl, line 1: this row has no column for the text"):
        predict(run[0], tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    with pytest.raises(BadInput, match="unknown kind of file"):
        predict(run[0], tmp_path / "in.jsonl", tmp_path / "out.xls")
    with pytest.raises(BadInput, match="not the folder of a fine-tuned model"):
        predict(tmp_path, tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_without_a_file_to_write_the_answers_are_returned_with_the_rows_they_are_for(run, tmp_path):
    rows = [{"id": "a", "text": "good film"}, {"id": "b", "text": "bad film"}, {"id": "c", "text": ""}]
    predict(run[0], rows, tmp_path / "out.csv", dtype="float32")
    answers = predict(run[0], rows, dtype="float32")
    assert list(answers["id"]) == ["a", "b", "c"]
    written = pd.read_csv(tmp_path / "out.csv")
    assert list(answers.columns) == list(written.columns)
    assert list(answers["prediction"].fillna("")) == list(written["prediction"].fillna(""))
    shares = answers[[name for name in answers if name.startswith("probability_")]]
    assert shares.sum(axis=1)[:2].to_numpy() == pytest.approx(1, abs=1e-3)
    assert shares.loc[2].isna().all()


def test_json_lines_carry_the_rows_they_answer(run, tmp_path):
    frame = pd.DataFrame({"text": ["good film"], "id": ["a"], "shop": ["north"]})
    predict(run[0], frame, tmp_path / "out.jsonl")
    (answer,) = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert (answer["id"], answer["input"]) == ("a", {"text": "good film", "id": "a", "shop": "north"})
    assert set(answer["probabilities"]) == set(load_run(run[0]).classes)


def test_a_loaded_run_predicts_as_often_as_wanted(run):
    tuned = load_run(run[0], dtype="float32")
    texts = ["good film", "bad film"]
    answers = tuned.predict(texts)
    assert list(answers["text"]) == texts
    assert answers.equals(tuned.predict(pd.DataFrame({"text": texts})))
    assert answers.equals(predict(run[0], (texts, [0, 1]), dtype="float32")[list(answers)])
    assert tuned.predict([{"review": "good film"}], text="review")["prediction"][0] == answers["prediction"][0]
    assert repr(tuned).startswith("<FineTuned classification, classes ")


@pytest.mark.parametrize("empty", [[], pd.Series([], dtype=str), {"text": []}, pd.DataFrame({"text": []})])
def test_an_empty_batch_has_an_empty_answer_with_the_columns_and_types_of_any_other(run, empty):
    tuned = load_run(run[0])
    answers, others = tuned.predict(empty), tuned.predict(["good film"])
    assert len(answers) == 0
    assert list(answers.columns) == list(others.columns)
    numbers = others.select_dtypes("number")
    assert list(answers[numbers.columns].dtypes) == list(numbers.dtypes)


def test_a_file_without_rows_has_an_empty_answer_with_its_own_columns(run, tmp_path, heard):
    (tmp_path / "in.csv").write_text("text,shop\n")
    predict(run[0], tmp_path / "in.csv", tmp_path / "out.csv", progress=heard)
    header, *rows = (tmp_path / "out.csv").read_text().splitlines()
    assert header.startswith("text,shop,row,prediction,")
    assert not rows
    assert "there are no rows in this file" in heard.notes[-1]


def test_answers_to_a_table_of_pandas_align_with_it_by_its_index(run):
    tuned = load_run(run[0], dtype="float32")
    frame = pd.DataFrame({"text": ["a fine film", "a dull film", "fine"]}, index=[7, 3, 11])
    for data in (frame, frame["text"]):
        assert tuned.predict(data).index.tolist() == [7, 3, 11]
    assert predict(run[0], frame).index.tolist() == [7, 3, 11]


def test_a_missing_text_in_a_list_or_a_column_has_no_answer_as_in_a_table(run):
    tuned = load_run(run[0], dtype="float32")
    for data in (["fine", None], pd.Series(["fine", float("nan")]), pd.DataFrame({"text": ["fine", None]})):
        assert tuned.predict(data)["prediction"].notna().tolist() == [True, False]


def test_one_text_is_told_from_a_file_that_is_not_there(run):
    with pytest.raises(BadInput, match=r"'a film' is one text, or a file that does not exist; put a text in a list"):
        load_run(run[0]).predict("a film")


def test_a_column_named_by_a_number_is_refused_before_a_model_is_looked_for():
    with pytest.raises(BadInput, match=r"`text` is 0 .int., not a text; give a name as a text: '0'"):
        predict("no run", pd.DataFrame({0: ["good film"]}), text=0)


def test_what_a_run_cannot_read_is_refused(run, tmp_path):
    with pytest.raises(BadInput, match="expected the path of a file or a table, got int"):
        load_run(run[0]).predict(3)
    (tmp_path / "in.json").write_text("{}")
    with pytest.raises(BadInput, match="the answers to SQuAD's questions are an official file"):
        load_run(run[0]).predict(tmp_path / "in.json")


def test_pairs_are_given_in_python_as_the_error_says(encoder, tmp_path):
    rows = [{"premise": f"good film {row}", "hypothesis": "bad", "label": row % 2} for row in range(40)]
    finetune(data=rows, model=encoder, out=tmp_path / "run", **BRIEF)
    model = load_run(tmp_path / "run")
    for refused in (["good film"], (["good film"], ["bad"])):
        with pytest.raises(BadInput, match=r'such as \{"premise": "…", "hypothesis": "…"\}, in Python a list'):
            model.predict(refused)
    assert len(model.predict([{"premise": "good film", "hypothesis": "bad"}])) == 1
