"""The study as a whole: what is tested on, and what the record says of it."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth import registry
from wordworth.errors import BadInput, WordworthError
from wordworth.representations.rung import RunContext
from wordworth.studies.worth import study
from wordworth.studies.worth.settings import ReadSettings, WorthSettings
from wordworth.studies.worth.study import long_fits_in_processes, read

CHOICES = {"models": ["none"], "seeds": 3, "draws": 100}
FEW = CHOICES | {"rungs": ["majority", "tfidf"]}
"""For what the study says of its rows, whatever is on the ladder."""


@pytest.fixture(scope="module")
def reviews(tmp_path_factory):
    """120 short reviews, each its own."""
    path, rng = tmp_path_factory.mktemp("study") / "reviews.csv", np.random.default_rng(0)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for number in range(120):
            label = number % 2
            words = rng.choice(["good", "fine"] if label else ["bad", "dull"], 2)
            writer.writerow([f"{' '.join(words)} film {number}", "yes" if label else "no"])
    return path


def test_where_no_test_part_is_named_every_row_is_tested_on(reviews):
    record = ww.worth(reviews, **FEW)
    assert (record.data["test"], record.data["train"], record.data["folds"]) == (120, 80, 3)
    assert set(record.table("ladder")["labels"]) == {80}
    assert "each fold is predicted by a run that learned from the others" in record.finding("method.intervals").text
    assert record.finding("condition.class_shares").text.startswith("Training and test rows are the same rows")


@pytest.mark.slow
def test_an_encoder_that_the_named_rungs_leave_out_was_asked_for_all_the_same(reviews):
    verdict = ww.worth(reviews, **CHOICES | {"models": ["minilm"]}, rungs=["tfidf"]).verdict
    assert "leave out minilm: add minilm to them" in verdict
    assert "No contextual encoder was asked for" not in verdict
    assert "No contextual encoder was asked for" in ww.worth(reviews, **CHOICES, rungs=["tfidf"]).verdict


@pytest.mark.parametrize("choice", [{"test": 0.25}, {"test_share": 0.25}])
def test_a_share_that_is_named_is_held_out(reviews, choice):
    record = ww.worth(reviews, **FEW, **choice)
    assert "folds" not in record.data
    assert record.data["test"] + record.data["train"] == 120
    assert record.data["test"] < 60


def test_each_run_is_listed_with_the_score_of_its_fold(reviews):
    record = ww.worth(reviews, **FEW)
    runs = record.table("runs").query("rung == 'tfidf' and labels == 80")
    assert list(runs["seed"]) == [0, 1, 2]
    score = record.table("ladder").set_index("rung")["score"]["tfidf"]
    assert runs["score"].mean() == pytest.approx(score)  # the folds are of one size


@pytest.mark.slow
def test_the_same_study_again_has_the_same_figures(reviews):
    first, second = (ww.worth(reviews, **CHOICES, threads=threads) for threads in (1, 2))
    for name, table in first.tables.items():
        assert table.columns == second.tables[name].columns, name


def test_long_fits_have_worker_processes_until_the_ladder_is_fitted(monkeypatch):
    monkeypatch.setattr(registry, "_CALLERS", set())
    with long_fits_in_processes(RunContext(threads=2)) as run_context:
        workers = run_context.workers
        assert workers is not None
    with pytest.raises(WordworthError, match="closed"):
        workers.call(print)


def test_a_device_that_is_not_here_is_refused_before_anything_is_read(reviews, monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    monkeypatch.setattr("wordworth.studies.worth.study.read", None)
    with pytest.raises(BadInput, match="this machine has no device 'cuda'; give auto or cpu"):
        ww.worth(reviews, device="cuda")


def test_the_record_says_nothing_of_a_gpu_where_encoders_computed_on_the_processor(reviews):
    record = ww.worth(reviews, **FEW, device="cpu")
    assert "device" not in {**record.settings, **record.environment}


def test_one_thread_makes_no_processes():
    with long_fits_in_processes(RunContext(threads=1)) as run_context:
        assert run_context.workers is None


def test_objects_that_a_caller_registered_keep_the_fits_in_this_process(monkeypatch):
    monkeypatch.setattr(registry, "_CALLERS", {("rung", "own")})
    with long_fits_in_processes(RunContext(threads=2)) as run_context:
        assert run_context.workers is None


@pytest.fixture(scope="module")
def by_authors(tmp_path_factory):
    """Reviews of 24 authors, each of whom likes most things or few."""
    path, rng = tmp_path_factory.mktemp("study") / "authors.csv", np.random.default_rng(0)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["author", "text", "label"])
        for number in range(240):
            label = rng.random() < (0.8 if number % 24 < 12 else 0.2)
            words = rng.choice(["good", "fine"] if label else ["bad", "dull"], 2)
            writer.writerow([f"a{number % 24}", f"{' '.join(words)} film {number}", "yes" if label else "no"])
    return path


def test_rows_of_an_author_are_kept_together_and_the_record_says_so(by_authors):
    record = ww.worth(by_authors, group="author", **FEW)
    assert (record.data["groups"], record.settings["group"]) == (24, "author")
    assert record.finding("warning.groups").text.startswith(
        "The 240 rows are of 24 groups by 'author'. Rows of a group"
    )
    assert "each of whole groups but for its last" in record.finding("method.curves").text
    assert "no group was both learned from and held out" in record.finding("method.choices").text
    assert "they hold for new groups like these" in record.finding("method.intervals").text
    assert min(record.table("curve")["labels"]) >= 40


def test_without_groups_the_record_is_silent_of_them(by_authors):
    record = ww.worth(by_authors, label="label", text="text", **FEW)
    assert "groups" not in record.data
    assert record.settings["group"] is None
    assert not any("group" in finding.text for finding in record.findings if finding.name.startswith("method."))


def test_a_quick_study_keeps_groups(by_authors):
    record = ww.worth(by_authors, group="author", quick=True, limit=100, **FEW)
    assert record.finding("warning.groups").numbers["groups"] == 24
    assert record.data["test"] == 100


@pytest.mark.slow
def test_the_constant_rung_is_called_by_what_it_says(reviews):
    few = reviews.with_name("few.csv")
    rows = list(csv.DictReader(reviews.read_text().splitlines()))
    with few.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["text", "label"])
        writer.writeheader()
        writer.writerows([*(row for row in rows if row["label"] == "no"), *rows[1:60:2]])
    titles = {
        metric: ww.worth(few, **CHOICES, rungs=["tfidf"], metric=metric).table("ladder")["title"][0]
        for metric in ("f1:yes", "f1:no")
    }
    assert titles == {"f1:yes": "always saying “yes”", "f1:no": "majority class"}


def test_by_time_the_latest_rows_are_tested_on_and_there_are_no_folds():
    rows = [{"text": f"{('bad', 'good')[number % 2]} film {number}", "label": ("no", "yes")[number % 2],
             "day": f"2024-{1 + number // 28:02}-{1 + number % 28:02}"} for number in range(200)]  # fmt: skip
    record = ww.worth(rows, time="day", **FEW)
    assert (record.settings["time"], "folds" in record.data, record.data["test"]) == ("day", False, 80)
    assert "tested on the 80 later ones, of 2024-05-09 to 2024-08-04" in record.finding("warning.time").text
    assert "other draws of them." in record.finding("method.intervals").text
    assert "Class shares of the two parts differ" in record.finding("condition.class_shares").text


@pytest.mark.slow
def test_another_margin_in_the_same_folder_is_a_study_of_its_own_and_no_further_look(reviews, tmp_path, heard):
    choices = CHOICES | {"rungs": ["tfidf"], "out": tmp_path / "out"}
    first = ww.worth(reviews, **choices, progress=heard)
    assert not any("holds a study" in note for note in heard.notes)
    second = ww.worth(reviews, **choices, margin=30.0, progress=heard)
    assert sum("holds a study with margin=1.0: " in note for note in heard.notes) == 1
    assert (first.finding("verdict").numbers["epsilon"], second.finding("verdict").numbers["epsilon"]) == (0.01, 0.3)
    assert second.finding("verdict").numbers["look"] == 1
    assert ww.read_record(tmp_path / "out") == second
    alone = ww.worth(reviews, **(choices | {"out": None}), margin=30.0)
    assert alone.finding("verdict") == second.finding("verdict")


@pytest.mark.slow
def test_a_second_annotators_labels_are_told_of_and_change_no_figure():
    rows = [{"text": f"{('bad', 'good')[number % 2]} film {number}", "label": ("no", "yes")[number % 2],
             "again": ("no", "yes")[(number + (number % 10 == 0)) % 2]} for number in range(120)]  # fmt: skip
    told = ww.worth(rows, second_label="again", **FEW)
    silent = ww.worth(rows, label="label", **FEW)
    assert told.finding("warning.second_label").numbers["agreement"] == 0.9
    assert told.settings["second_label"] == "again"
    assert silent.settings["second_label"] is None
    for name, table in told.tables.items():
        assert table.columns == silent.tables[name].columns, name


def test_a_folder_of_a_model_may_be_renamed(reviews, tmp_path):
    write_tiny_encoder(tmp_path / "encoder")
    (tmp_path / "table.txt").write_text("good 1 0 2\nbad 0 1 1\nfilm 1 1 0\nfine 2 1 0\n")
    shutil.copytree(tmp_path / "encoder", tmp_path / "renamed")
    shutil.copy(tmp_path / "table.txt", tmp_path / "words.txt")
    records = [
        ww.worth(
            reviews,
            seeds=3,
            draws=100,
            rungs=["majority", model, Path(table).stem],
            models=[str(tmp_path / model)],
            vectors=[str(tmp_path / table)],
        )
        for model, table in (("encoder", "table.txt"), ("renamed", "words.txt"))
    ]
    for name in ("ladder", "curve", "gaps", "runs"):
        first, second = (record.table(name).select_dtypes("number") for record in records)
        assert first.drop(columns="seconds", errors="ignore").equals(second.drop(columns="seconds", errors="ignore")), (
            name
        )


@pytest.mark.slow
def test_costs_are_taken_from_a_table_in_memory_as_from_a_file(reviews, tmp_path):
    rows = [{"true": "yes", "predicted": "no", "cost": 20}, {"true": "no", "predicted": "yes", "cost": 1.5}]
    path = tmp_path / "costs.csv"
    path.write_text("true,predicted,cost\nyes,no,20\nno,yes,1.5\n", encoding="utf-8")
    records = [ww.worth(reviews, **FEW, costs=costs) for costs in (path, rows, pd.DataFrame(rows))]
    assert [record.settings["costs"] for record in records] == [path, *[Path("the table of costs")] * 2]
    assert all(record.tables == records[0].tables for record in records)
    assert records[0].finding("expected_costs").numbers["threshold"] == pytest.approx(1.5 / 21.5)


@pytest.mark.slow
def test_other_costs_give_other_tables_of_costs_and_change_nothing_else(reviews):
    both = [
        [{"true": "yes", "predicted": "no", "cost": cost}, {"true": "no", "predicted": "yes", "cost": 1}]
        for cost in (2, 30)
    ]
    first, second = (ww.worth(reviews, **FEW, costs=costs) for costs in both)
    differ = {name for name in first.tables if first.tables[name] != second.tables[name]}
    assert differ == {"expected_costs", "confusion_costs"}
    assert [finding for finding in first.findings if finding not in second.findings] == [
        first.finding("expected_costs")
    ]


def test_costs_that_are_no_table_are_refused(reviews):
    with pytest.raises(ww.BadInput, match="the table of costs: column 'cost' not found"):
        ww.worth(reviews, **CHOICES, costs=[{"true": "yes", "predicted": "no"}])


@pytest.mark.parametrize("freeze", [False, True])
def test_costs_that_lack_a_pair_of_classes_are_refused_before_the_machine_is_measured(
    reviews, tmp_path, monkeypatch, freeze
):
    monkeypatch.setattr(study, "time_plan", None)
    with pytest.raises(ww.BadInput, match="no cost of true 'no' predicted 'yes'"):
        ww.worth(reviews, **FEW, costs=[{"true": "yes", "predicted": "no", "cost": 1}], freeze=freeze, out=tmp_path)
    assert not list(tmp_path.glob("*.json"))


def test_without_a_contextual_rung_each_is_compared_with_every_other(reviews):
    record = ww.worth(reviews, models="none", rungs=["majority", "tfidf"], seeds=2, draws=100)
    gaps = record.table("gaps")
    pairs = set(zip(gaps["rung"], gaps["against"], strict=True))
    assert pairs == {("majority", "tfidf"), ("tfidf", "majority")}
    ahead = gaps[gaps["rung"] == "tfidf"].set_index("labels")["gap"]
    behind = gaps[gaps["rung"] == "majority"].set_index("labels")["gap"]
    assert np.allclose(ahead, -behind)


def test_a_limit_that_the_study_sets_says_how_more_rows_are_used(tmp_path):
    data = tmp_path / "rows.csv"
    data.write_text("text,label\n" + "".join(f"film {n},{'good' if n % 2 else 'bad'}\n" for n in range(1_100)))
    (told,) = [one for one in read(data, ReadSettings(), WorthSettings(quick=True)).warnings if "limit" in one.name]
    assert told.text == "1,000 of 1,100 rows were used, drawn by class at random: a quick study uses no more."
    (own,) = [one for one in read(data, ReadSettings(limit=500), WorthSettings()).warnings if "limit" in one.name]
    assert own.text == "500 of 1,100 rows were used, drawn by class at random."
