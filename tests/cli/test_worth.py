"""`wordworth worth` on a small file: what it says, what it writes, and that the seed alone decides it."""

import io
import json
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.cli.terminal import reviews, wordworth
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.cli.worth import next_commands, study_command
from wordworth.records import RECORD, read
from wordworth.representations.shared_encoder import load_encoder

CHEAP = ("--no-finetune", "--quick", "--seeds", 2)
FEW = ("--rung", "tfidf", "--rung", "tiny")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return reviews(tmp_path_factory.mktemp("data") / "reviews.csv")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Wide enough for torch to part its products between threads."""
    folder = tmp_path_factory.mktemp("model") / "tiny"
    return write_tiny(folder, modules=False, hidden_size=256, intermediate_size=512)


@contextmanager
def afresh(cache: Path, threads: int):
    """A cache and an encoder that nobody has used, and so many threads for torch."""
    had = torch.get_num_threads()
    load_encoder.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDWORTH_CACHE", str(cache))
        torch.set_num_threads(threads)
        try:
            yield
        finally:
            torch.set_num_threads(had)


@pytest.fixture(scope="module")
def run(data, model, tmp_path_factory):
    """The outcome of a run on two threads and the folder it wrote; its cache lies beside."""
    out = tmp_path_factory.mktemp("run") / "new" / "folder"
    with afresh(out.parent / "cache", threads=2):
        return wordworth("worth", data, *CHEAP, "--model", model, "--threads", 2, "--out", out), out


def decided(folder):
    """The bytes of a record that the seed decides."""
    record = json.loads((folder / "record.json").read_text(encoding="utf-8"))
    for clock_bound in ("timings", "environment"):
        del record[clock_bound]
    return json.dumps(record, sort_keys=True)


def kept(cache: Path):
    """The bytes of all vectors and predictions in a cache, by key."""
    return {path.stem: bare(np.load(path)).tobytes() for path in cache.rglob("*.npy")}


def bare(array: np.ndarray) -> np.ndarray:
    """An array; of a run that was packed into bytes the predictions, without what the clock says."""
    if array.dtype != np.uint8:
        return array
    with np.load(io.BytesIO(array.tobytes())) as packed:
        return packed["values"]


def test_the_verdict_goes_to_the_screen_and_record_page_and_model_to_the_folder(run):
    outcome, out = run
    assert outcome.code == 0
    assert sorted(path.name for path in out.iterdir()) == ["model", "record.json", "report.html"]
    record = ww.read_record(out / "record.json")
    assert record.verdict in outcome.out
    assert record.finding("verdict").numbers["headline"] in outcome.out
    assert outcome.out.endswith(f"{out / 'report.html'}\nwordworth serve {out}\n")


def test_a_fine_tuned_rung_is_followed_by_the_command_that_makes_it_and_serve_and_predict_repeat_it(run, tmp_path):
    record = read(run[1] / RECORD)
    verdict = next(finding for finding in record.findings if finding.name == "verdict")
    named = replace(verdict, numbers={**verdict.numbers, "rung": "minilm-finetuned"})
    others = tuple(finding for finding in record.findings if finding.name != "verdict")
    measured = {"test": "my test.csv", "metric": "macro_f1", "skip_unusable": True, "group": "author", "limit": 500}
    settings = {**record.settings, "models": ["glove", "minilm"], "text": "body", "label": ["x", "y"], **measured}
    tuned, out = replace(record, findings=(named, *others), settings=settings), tmp_path / "my run"
    rows = "--text body --label x --label y --skip-unusable --limit 500 --group author"
    options = f"{rows} --test 'my test.csv' --metric macro_f1 --model minilm --restarts 1"
    assert next_commands(tuned, Path("a b.csv"), out).splitlines() == [
        f"wordworth finetune --data 'a b.csv' {options} --out '{out}-finetuned'",
        f"wordworth serve '{out}-finetuned'",
    ]
    out.mkdir()
    tuned.save(out / RECORD)
    for command in (("serve", out), ("predict", out, "a.csv", "--out", tmp_path / "b.csv")):
        done = wordworth(*command)
        assert done.code == 2
        assert "names 'minilm-finetuned', and `worth` does not write it as a model; make it with" in done.err
        file = record.data["name"]
        assert f"wordworth finetune --data {file} {options} --out '{out}-finetuned' and then give '{out}-f" in done.err


def test_texts_to_label_are_followed_by_the_command_of_the_study_that_tests_on_them():
    choices = dict.fromkeys(("text_b", "kind", "format")) | {"text": "body", "label": ("a", "b")}
    assert study_command(Path("next"), {**choices, "labels_so_far": "my some.csv"}) == (
        "wordworth worth 'my some.csv' --text body --label a --label b --test next/to_label.csv "
        "--test-weight sampling_weight --skip-unusable"
    )


def test_the_record_says_that_the_named_encoder_was_measured(run):
    ladder = ww.read_record(run[1] / "record.json").table("ladder").set_index("rung")
    assert set(ladder.loc[["majority", "tfidf", "tiny", "tfidf+tiny"], "state"]) == {"measured"}
    assert "minilm" not in ladder.index


def test_the_folder_is_made_with_its_parents_and_the_page_is_whole(run):
    page = (run[1] / "report.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_python_and_on_one_thread(run, data, model, tmp_path):
    with afresh(tmp_path / "cache", threads=1):
        record = ww.worth(data, models=[str(model)], finetune=False, quick=True, seeds=2, threads=1, out=tmp_path)
    assert decided(tmp_path) == decided(run[1])
    assert kept(tmp_path / "cache") == kept(run[1].parent / "cache") != {}
    assert record.verdict in run[0].out
    assert list(record.table("curve").columns)[:2] == ["rung", "labels"]


@pytest.mark.slow
def test_fine_tuning_gives_the_same_bytes_on_one_thread_and_on_two(data, model, tmp_path):
    for threads in (1, 2):
        out = tmp_path / str(threads)
        with afresh(out / "cache", threads):
            ww.worth(data, models=[str(model)], distil=False, seeds=2, margin=90, threads=threads, out=out)
    assert decided(tmp_path / "1") == decided(tmp_path / "2")
    one, two = (kept(tmp_path / name / "cache") for name in "12")
    assert one == two
    assert len(one) >= 2  # vectors, and a further run of the fine-tuned rung, which so wide a margin does not drop


def test_page_draws_the_same_page_again_beside_the_record(run, tmp_path):
    record = tmp_path / "record.json"
    record.write_bytes((run[1] / "record.json").read_bytes())
    outcome = wordworth("report", record)
    assert (outcome.code, outcome.out) == (0, f"{tmp_path / 'report.html'}\n")
    assert (tmp_path / "report.html").read_bytes() == (run[1] / "report.html").read_bytes()


def test_page_takes_the_folder_of_a_record_too(run, tmp_path):
    (tmp_path / "record.json").write_bytes((run[1] / "record.json").read_bytes())
    assert wordworth("report", tmp_path).out == f"{tmp_path / 'report.html'}\n"


def test_page_writes_where_it_is_told(run, tmp_path):
    assert wordworth("report", run[1] / "record.json", "--out", tmp_path / "here.html").code == 0
    assert (tmp_path / "here.html").exists()


@pytest.mark.slow
def test_markup_in_texts_and_names_shows_as_text(model, tmp_path):
    evil = "<script>alert(1)</script>"
    data = reviews(tmp_path / "reviews.csv")
    data.write_text(data.read_text().replace(",good", f",{evil}").replace("w1 ", f"{evil} "), encoding="utf-8")
    assert wordworth("worth", data, *CHEAP, *FEW, "--model", model, "--seed", 1, "--out", tmp_path / "run").code == 0
    assert ww.read_record(tmp_path / "run" / "record.json").settings["seed"] == 1
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert evil not in page
    assert "&lt;script&gt;alert(1)" in page


def test_a_note_is_told_once(run):
    lines = [line for line in run[0].err.splitlines() if line.startswith("GloVe")]
    assert len(lines) == len(set(lines)) <= 1


def test_an_unknown_setting_in_python_is_an_unknown_keyword(data):
    with pytest.raises(TypeError, match="unexpected keyword argument 'margim'"):
        ww.worth(data, margim=2)


@pytest.mark.parametrize("flag", ["--margin", "--epsilon"])
def test_a_bad_value_in_python_is_refused_in_the_words_of_the_command_line(data, tmp_path, flag):
    with pytest.raises(ValueError, match=r"^`margin` -1\.0 is out of range") as refused:
        ww.worth(data, margin=-1.0)
    said = wordworth("worth", data, flag, -1.0, "--out", tmp_path).err
    assert said.endswith(f"wordworth: {refused.value}\n".replace("`margin`", "--margin"))
    assert ("--epsilon is called --margin now" in said) == (flag == "--epsilon")


@pytest.mark.slow
def test_what_is_odd_about_the_data_is_told_on_the_screen_beside_the_verdict(model, tmp_path):
    data = reviews(tmp_path / "reviews.csv")
    text = data.read_text(encoding="utf-8")
    data.write_text(text.replace(",good", ",Good", 20) + text.splitlines()[1] + "\n", encoding="utf-8")
    outcome = wordworth("worth", data, *CHEAP, *FEW, "--model", model, "--out", tmp_path / "run")
    before = outcome.out[: outcome.out.index("report.html")]
    assert "Before you trust it:" in before
    assert "- Classes that may be one, spelt differently: 'Good', 'good'." in before
    assert "Columns were chosen by the header" not in outcome.out  # no reason for distrust
    assert ww.read_record(tmp_path / "run" / "record.json").verdict in before


def test_where_context_helps_by_category_is_told_below_the_verdict(data, tmp_path):
    rows = data.read_text(encoding="utf-8").splitlines()
    file = tmp_path / "categories.csv"
    cells = ["kind", *(("long", "short")[number % 2] for number in range(len(rows) - 1))]
    file.write_text("\n".join(f"{row},{cell}" for row, cell in zip(rows, cells, strict=True)), encoding="utf-8")
    rungs = ("--rung", "majority", "--rung", "tfidf", "--model", "none", "--seeds", "2")
    outcome = wordworth("worth", file, *rungs, "--category", "kind", "--out", tmp_path / "run")
    record = ww.read_record(tmp_path / "run" / "record.json")
    assert outcome.code == 0
    assert f"{record.verdict}\n{record.finding('categories').text}\n" in outcome.out
    assert set(record.table("categories")["category"]) == {"long", "short"}
    outcome = wordworth("worth", file, *rungs, "--category", "kinds", "--out", tmp_path / "other")
    assert (outcome.code, outcome.err.count("category column 'kinds' not found")) == (2, 1)


COSTS = "true,predicted,cost\ngood,bad,1\nbad,good,20\n"


@pytest.mark.slow
def test_costs_of_errors_are_told_on_the_screen_and_in_the_record_and_no_fit_is_made_again(run, data, model, tmp_path):
    cache, costs = run[1].parent / "cache", tmp_path / "costs.csv"
    costs.write_text(COSTS, encoding="utf-8")
    before = set(kept(cache))
    chosen = ("--model", model, "--costs", costs, "--currency", "€", "--out", tmp_path / "run")
    with afresh(cache, threads=2):
        outcome = wordworth("worth", data, *CHEAP, *chosen)
    record, plain = (ww.read_record(folder / "record.json") for folder in (tmp_path / "run", run[1]))
    told = record.finding("expected_costs").text
    assert outcome.code == 0
    assert f"{plain.verdict}\n{told}\n" in outcome.out
    assert "€" in told
    assert record.settings["costs"] == str(costs)
    assert set(record.table("confusion_costs")["cost"]) == {0, 1, 20}
    assert list(record.table("expected_costs")["rung"]) == list(record.table("ladder")["rung"])
    assert {"expected_costs", "confusion_costs"} == record.tables.keys() - plain.tables.keys()
    assert all(record.tables[name] == table for name, table in plain.tables.items())
    assert set(kept(cache)) == before != set()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "costs.csv: there is no such file"),
        ("", "costs.csv: the file is empty"),
        (COSTS.replace("cost\n", "price\n"), "costs.csv: column 'cost' not found"),
        (COSTS.replace("20", "-20"), "costs.csv, line 3: the cost '-20' is out of range"),
        (COSTS.replace("20", "much"), "costs.csv, line 3: the cost 'much' is not a number"),
        (COSTS.replace("bad,good", "worse,good"), "costs.csv, line 3: no training row has the class 'worse'"),
        (COSTS + "good,bad,2\n", "costs.csv, line 4: a second cost of true 'good' predicted 'bad'"),
        (COSTS.replace("bad,good,20\n", ""), "costs.csv: no cost of true 'bad' predicted 'good'"),
    ],
)
def test_costs_that_cannot_be_used_are_one_line_and_exit_code_2(data, tmp_path, content, says):
    if content is not None:
        (tmp_path / "costs.csv").write_text(content, encoding="utf-8")
    chosen = ("--models", "none", "--costs", tmp_path / "costs.csv", "--out", tmp_path / "run")
    outcome = wordworth("worth", data, *CHEAP, *chosen)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err.splitlines()[-1]
    assert not (tmp_path / "run" / "record.json").exists()


@pytest.mark.parametrize("words", [("--kind", "regression"), ("--plan",)])
def test_costs_are_for_studies_of_one_class_a_row(data, tmp_path, words):
    (tmp_path / "costs.csv").write_text(COSTS, encoding="utf-8")
    outcome = wordworth("worth", data, "--costs", tmp_path / "costs.csv", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[-1].startswith("wordworth: --costs: ")


def plan(data, *words):
    return wordworth("worth", "--plan", data, "--text", "text", *words)


@pytest.mark.slow
def test_a_plan_is_printed_and_written_only_where_a_folder_is_named(data, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    some = reviews(tmp_path / "some.csv", 60)
    chosen = ("--labels-so-far", some, "--label", "label", *CHEAP, "--model", model)
    outcome = plan(data, *chosen)
    assert (outcome.code, [path.name for path in tmp_path.iterdir()]) == (0, ["some.csv"])
    assert all(told in outcome.out for told in ("a lead of 1.0 point", "unlabelled texts", "12,800"))
    again = plan(data, *chosen, "--out", tmp_path / "plan")
    assert again.out == f"{outcome.out.rstrip()}\n\n{tmp_path / 'plan' / 'report.html'}\n"
    record = ww.read_record(tmp_path / "plan")
    assert record.kind == "plan"
    assert record.data["texts"] == 100  # of 160, the first 60 have a label
    assert record.finding("verdict").numbers["headline"] in (tmp_path / "plan" / "report.html").read_text("utf-8")


def test_a_plan_without_labels_says_that_it_is_not_of_these_texts(data):
    outcome = plan(data)
    assert outcome.code == 0
    assert "These are not figures of your texts" in outcome.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--metric", "macro_f1"), "--metric: planning covers accuracy alone, not macro_f1"),
        (("--kind", "regression"), "--kind: planning covers accuracy where each row has one class"),
        (("--test", "0.2"), "--test: a plan is made before there is a test part"),
        (("--label", "label"), "--label: this names a column of the labels so far, and none are given"),
        (("--labels-so-far", "none.csv"), "none.csv: there is no such file"),
        (("--labels-so-far", "."), ".: this is a folder, not a file"),
        (("--labels-so-far", "few.csv"), "few.csv: 30 labels are too few for a plan; label 50 or more"),
        (("--labels-so-far", "all.csv"), "all.csv: 0 different texts without a label are too few"),
        (("--labels-so-far", "some.csv", "--label", "nope"), "label column 'nope' not found"),
        (
            ("--labels-so-far", "some.csv", "--models", "none"),
            "there is no contextual rung to plan for; give an encoder",
        ),
        (("--labels-so-far", "some.csv", "--rung", "tfidf"), "to plan for; name one with --rung too, such as minilm"),
    ],
)
def test_a_plan_that_cannot_be_made_is_one_line_and_exit_code_2(tmp_path, monkeypatch, words, says):
    monkeypatch.chdir(tmp_path)
    for name, rows in (("all", 160), ("some", 60), ("few", 30)):
        reviews(Path(f"{name}.csv"), rows)
    outcome = plan("all.csv", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err.splitlines()[-1]


def test_labels_so_far_without_a_plan_are_refused(data):
    outcome = wordworth("worth", data, "--labels-so-far", data)
    assert (outcome.code, outcome.err) == (
        2,
        "wordworth: --labels-so-far: labels so far are for planning; add --plan\n",
    )


def test_a_frozen_plan_prints_its_hash_and_the_study_says_what_differs(data, model, tmp_path):
    chosen = (*CHEAP, "--model", model, "--rung", "tfidf", "--out", tmp_path / "run")
    outcome = wordworth("worth", data, "--freeze", *chosen)
    file = tmp_path / "run" / "preregistration.json"
    assert outcome.code == 0
    assert (
        f"The plan is frozen: SHA-256 {json.loads(file.read_text(encoding='utf-8'))['sha256']}\n{file} holds"
        in outcome.out
    )
    assert "report.html" not in outcome.out
    done = wordworth("worth", data, *chosen, "--margin", 2)
    assert done.code == 0
    assert "- This study did not keep to the plan that was frozen on 20" in done.out
    assert "Planned and done differ in: margin 1 → 2." in done.out


@pytest.mark.parametrize(
    ("left", "says"),
    [
        (
            "preregistration.json",
            "preregistration.json: a plan was frozen here before, and a plan that is replaced is none",
        ),
        ("--plan", "wordworth: --freeze: --plan and --freeze are two things"),
    ],
)
def test_a_plan_that_cannot_be_frozen_is_one_line_and_exit_code_2(data, tmp_path, left, says):
    if left.startswith("--"):
        outcome = wordworth("worth", data, "--freeze", left, "--out", tmp_path)
    else:
        (tmp_path / left).write_text("{}", encoding="utf-8")
        outcome = wordworth("worth", data, "--freeze", "--model", "none", "--out", tmp_path)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err.splitlines()[-1]
