"""XNLI in one of its languages and in all, from its official files and from the hub's cache."""

from pathlib import Path

import pandas as pd
import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.tasks.datasets import named_task
from wordworth.tasks.formats import dataset_spec

HEADER = (
    "language gold_label sentence1_binary_parse sentence2_binary_parse sentence1_parse sentence2_parse sentence1 "
    "sentence2 promptID pairID genre label1 label2 label3 label4 label5 sentence1_tokenized sentence2_tokenized match"
)
DEV = [
    ("ar", "neutral", "وقال، ماما، لقد عدت للمنزل.", "اتصل بأمه."),
    ("en", "neutral", "And he said, Mama, I'm home.", "He called his mom."),
    ("en", "contradiction", "And he said, Mama, I'm home.", "He didn't say a word."),
    ("fr", "neutral", "Et il a dit, maman, je suis à la maison.", "Il a appelé sa mère."),
    ("fr", "contradiction", 'Et il a dit, "maman, je suis à la maison.', "Il n'a pas dit un mot."),
    ("fr", "entailment", "Et il a dit, maman, je suis à la maison.", "Il a dit à sa mère qu'il était rentré."),
]
TEST = [("en", "entailment", "It rains.", "It is wet."), ("fr", "entailment", "Il pleut.", "C'est mouillé.")]
CLASSES = ("contradiction", "entailment", "neutral")
MNLI = (
    "index\tpromptID\tsentence1\tsentence2\tlabel1\tgold_label\n"
    "0\t1\tIt rains.\tIt is wet.\tneutral\tentailment\n"
    "1\t2\tIt rains.\tIt is dry.\tneutral\tcontradiction\n"
)


def official(rows) -> str:
    """The published table, its columns that nobody reads filled or empty as there."""
    lines = [HEADER.replace(" ", "\t")]
    for place, (language, label, first, second) in enumerate(rows):
        known = dict(
            zip(("language", "gold_label", "sentence1", "sentence2"), (language, label, first, second), strict=True)
        )
        known |= {"pairID": str(place), "label1": "neutral", "sentence1_tokenized": f"( {first} )", "match": "True"}
        lines.append("\t".join(known.get(column, "") for column in HEADER.split()))
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """A folder of data sets with XNLI's official files and MNLI to learn from."""
    files = {"XNLI-1.0/xnli.dev.tsv": official(DEV), "XNLI-1.0/xnli.test.tsv": official(TEST), "mnli/train.tsv": MNLI}
    monkeypatch.setenv("WORDWORTH_DATA", str(write(tmp_path, files)))
    monkeypatch.setattr(dataset_spec, "hub_folder", lambda _: None)
    return tmp_path


def asked(task) -> list[tuple[str, str, str]]:
    """The test part of a task: class and both texts."""
    texts, labels = task.examples, task.gold(task.test)
    return [(task.classes[label], texts.first[row], texts.second[row])
            for row, label in zip(task.test, labels, strict=True)]  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_one_language_is_its_own_rows_and_is_learned_from_mnli() -> None:
    task = named_task("xnli:fr")
    assert task.classes == CLASSES
    assert asked(task) == [row[1:] for row in DEV if row[0] == "fr"]
    assert asked(named_task("xnli:fr", held_out="test")) == [("entailment", "Il pleut.", "C'est mouillé.")]
    assert [task.classes[label] for label in task.gold(task.train)] == ["entailment", "contradiction"]
    assert task.examples.first[task.train[0]] == "It rains."


@pytest.mark.usefixtures("folder")
def test_without_a_language_all_rows_are_asked() -> None:
    assert asked(named_task("xnli")) == [row[1:] for row in DEV]


@pytest.mark.usefixtures("folder")
def test_a_file_without_the_language_is_told() -> None:
    with pytest.raises(BadInput, match=r"xnli\.dev\.tsv: no row has 'th' in column 'language'"):
        named_task("xnli:th")


def test_the_hubs_files_are_of_one_language_and_number_the_classes_their_own_way(tmp_path, monkeypatch) -> None:
    frame = pd.DataFrame({"premise": ["A.", "B.", "C."], "hypothesis": ["a.", "b.", "c."], "label": [0, 1, 2]})
    for language, rows in (("fr", frame), ("de", frame[:1])):
        (tmp_path / "hub" / language).mkdir(parents=True)
        for part in ("validation", "test"):
            rows.to_parquet(tmp_path / "hub" / language / f"{part}-00000-of-00001.parquet")
    monkeypatch.setattr(dataset_spec, "hub_folder", lambda name: tmp_path / "hub" if name == "facebook/xnli" else None)
    monkeypatch.setenv("WORDWORTH_DATA", str(write(tmp_path / "data", {"mnli/train.tsv": MNLI})))
    expected = [("entailment", "A.", "a."), ("neutral", "B.", "b."), ("contradiction", "C.", "c.")]
    assert asked(named_task("xnli:fr")) == asked(named_task("xnli:fr", held_out="test")) == expected
    assert asked(named_task("xnli:de")) == expected[:1]
