"""The official scorers on anyone's predictions."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import DATA, needs, write

from wordworth.errors import BadInput
from wordworth.records import Record
from wordworth.studies.evaluate import evaluate
from wordworth.tasks.datasets import find_dataset_spec, glue_names
from wordworth.text.file_formats.read import read_rows


def scores(record: Record, digits: int = 4) -> dict[str, float]:
    return {row["metric"]: round(row["score"], digits) for row in record.tables["scores"].rows()}


@pytest.mark.parametrize(
    ("task", "file", "wanted"),
    [
        ("squad1", "squad_v1/pred_bert_ensemble.json.xz", {"exact_match": 86.2062, "f1": 92.1956}),
        (
            "squad2",
            "squad_v2/pred_bert_single.json.xz",
            {
                "exact": 78.7417,
                "f1": 81.7753,
                "HasAns_exact": 74.1059,
                "HasAns_f1": 80.1818,
                "NoAns_exact": 83.3642,
                "NoAns_f1": 83.3642,
            },
        ),
        (
            "squad2",
            "squad_v2/pred_bidaf_elmo.json.xz",
            {
                "exact": 65.7037,
                "f1": 67.8765,
                "HasAns_exact": 61.4204,
                "HasAns_f1": 65.7722,
                "NoAns_exact": 69.9748,
                "NoAns_f1": 69.9748,
            },
        ),
    ],
)
def test_official_predictions_get_their_official_scores(task, file, wanted):
    needs(find_dataset_spec(task).folders[0])
    record = evaluate(task, DATA / file, data=DATA, draws=100)
    assert scores(record) == wanted
    assert all(row["low"] < row["score"] < row["high"] for row in record.tables["scores"].rows())


@pytest.mark.slow
@pytest.mark.parametrize(("part", "file", "f1"), [("dev", "eng.testa.xz", 68.69), ("test", "eng.testb.xz", 57.19)])
def test_the_most_frequent_tag_of_each_word_scores_as_conlleval_says(tmp_path, part, file, f1):
    folder = needs("conll2003")
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    train = read_rows(folder / "eng.train.xz")
    for words, tags in zip(train.columns["words"], train.columns["tags"], strict=True):
        for word, tag in zip(json.loads(words), json.loads(tags), strict=True):
            counts[word][tag] += 1
    best = {word: tags.most_common(1)[0][0] for word, tags in counts.items()}
    words = [json.loads(cell) for cell in read_rows(folder / file).columns["words"]]
    lines = ["".join(f"{word} {best.get(word, 'O')}\n" for word in sentence) for sentence in words]
    (tmp_path / "tags.txt").write_text("\n".join(lines), encoding="utf-8")
    record = evaluate("conll2003", tmp_path / "tags.txt", data=DATA, part=part, draws=100)
    assert scores(record, 2)["entity_f1"] == f1


def glue(folder: Path, without: str = "") -> Path:
    """Three examples of every task, all predicted rightly but the last of RTE."""
    rows = {
        "cola": "x\t1\t\ta\nx\t0\t*\tb\nx\t1\t\tc\n",
        "sst2_glue": "text,label\na,1\nb,0\nc,1\n",
        "mrpc": "text_a,text_b,label,glue_split\nt,t,1,train\na,b,1,dev\nb,c,0,dev\nc,d,1,dev\n",
        "stsb": "text_a,text_b,score\na,b,1.5\nb,c,0\nc,d,5\n",
        "qqp": "text_a,text_b,label\na,b,1\nb,c,0\nc,d,1\n",
        "qnli": "text_a,text_b,label\na,b,entailment\nb,c,not_entailment\nc,d,entailment\n",
        "rte": "text_a,text_b,label\na,b,entailment\nb,c,not_entailment\nc,d,entailment\n",
        "wnli": "text_a,text_b,label\na,b,1\nb,c,0\nc,d,1\n",
    }
    for name, text in rows.items():
        file = {"mrpc": "train.csv", "cola": "dev.tsv"}.get(name, "dev.csv")
        write(folder / "data" / name, {file: text})
    nli = "text_a,text_b,label\na,b,entailment\nb,c,neutral\nc,d,contradiction\n"
    write(folder / "data" / "mnli", {"dev_matched_sample.csv": nli, "dev_mismatched_sample.csv": nli})
    for name in glue_names():
        part = find_dataset_spec(name).parts(("dev",), folder / "data")["dev"]
        classes = find_dataset_spec(name).classes
        lines = [str(label) if not classes else classes[int(label)] for label in part.labels]
        if name == "rte":
            lines[-1] = "not_entailment"
        if name != without:
            write(folder / "said", {f"{'SST-2' if name == 'sst2' else name}.txt": "\n".join(lines)})
    return folder / "said"


def test_predictions_for_qqp_go_by_its_own_ids_or_by_number_as_they_are_submitted(tmp_path):
    head, row = "id\tqid1\tqid2\tquestion1\tquestion2\tis_duplicate\n", "{0}\t1\t2\tWhy?\tHow {0}?\t{1}\n"
    write(tmp_path, {"dev.tsv": head + row.format(201359, 1) + row.format(1, 0) + row.format(77, 1)})
    files = {
        "submitted.tsv": "index\tprediction\n0\t1\n1\t0\n2\t1\n",
        "predicted.jsonl": '{"id": "77", "label": "1"}\n{"id": "201359", "label": "1"}\n{"id": "1", "label": "0"}\n',
    }
    write(tmp_path, files)
    for name in files:
        record = evaluate("qqp", tmp_path / name, data=tmp_path, draws=100)
        assert scores(record, 2) == {"f1:1": 100, "accuracy": 100}
    write(tmp_path, {"short.tsv": "index\tprediction\n0\t1\n2\t1\n"})
    with pytest.raises(BadInput, match=r"1 id \('1'\) of qqp's dev part \(dev.tsv\) without a prediction"):
        evaluate("qqp", tmp_path / "short.tsv", data=tmp_path, draws=100)


def test_a_folder_of_predictions_gets_glues_averages(tmp_path):
    record = evaluate("glue", glue(tmp_path), data=tmp_path / "data", draws=100)
    found = {(row["task"], row["metric"]): row["score"] for row in record.tables["scores"].rows()}
    assert found["rte", "accuracy"] == pytest.approx(100 * 2 / 3)
    assert {metric for task, metric in found if task == "mrpc"} == {"f1:1", "accuracy"}
    averages = [value for (task, _), value in found.items() if task == "glue"]
    assert averages == pytest.approx([100 - 100 / 27] * 2)
    assert record.verdict.startswith("GLUE: average")


def test_an_average_needs_all_tasks(tmp_path):
    record = evaluate("glue", glue(tmp_path, without="qnli"), data=tmp_path / "data", draws=100)
    assert not [row for row in record.tables["scores"].rows() if row["task"] == "glue"]
    assert record.finding("warning.missing_tasks").numbers == {"tasks": ["qnli"]}
    with pytest.raises(BadInput, match="no predictions for any of GLUE's tasks"):
        evaluate("glue", tmp_path / "data", draws=100)


def test_the_same_seed_gives_the_same_bytes_and_another_other_intervals(tmp_path):
    said = glue(tmp_path)
    one, two, other = (
        evaluate("stsb", said / "stsb.txt", data=tmp_path / "data", draws=100, seed=seed).to_json()
        for seed in (0, 0, 1)
    )
    assert one == two != other


def test_a_file_of_predictions_that_is_missing_is_named_before_data_that_are(tmp_path):
    with pytest.raises(BadInput, match="there is no such file") as refused:
        evaluate("cola", tmp_path / "predictions.tsv", data=tmp_path / "no data")
    assert refused.value.where == str(tmp_path / "predictions.tsv")
