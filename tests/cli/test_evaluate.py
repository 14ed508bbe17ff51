"""`wordworth evaluate`: a line a score, or the record as JSON."""

import json

from tests.cli.terminal import wordworth
from tests.tasks.datasets.data_folder import write

CSV = "text_a,text_b,label\na,b,entailment\nb,c,not_entailment\nc,d,entailment\nd,e,entailment\n"
SAID = "index\tprediction\n0\tentailment\n1\tnot_entailment\n2\tentailment\n3\tnot_entailment\n"


def test_a_line_a_score_with_its_interval_and_what_is_odd_about_the_data(tmp_path):
    write(tmp_path, {"dev.csv": CSV, "said.tsv": SAID})
    done = wordworth("evaluate", "rte", tmp_path / "said.tsv", "--data", tmp_path)
    assert done.code == 0
    score, note = done.out.splitlines()
    assert score.startswith("accuracy      75.00  95 % ")
    assert score.endswith(", 4 pairs")
    assert note == "note: rte, dev part: 4 examples, where 277 were published."


def test_json_is_the_whole_record(tmp_path):
    write(tmp_path, {"dev.csv": CSV, "said.tsv": SAID})
    done = wordworth("evaluate", "rte", tmp_path / "said.tsv", "--data", tmp_path, "--json")
    record = json.loads(done.out)
    assert (record["kind"], record["tables"]["scores"]["columns"]["score"]) == ("evaluate", [75.0])
    assert [source["rows"] for source in record["data"]["sources"]] == [4]


def test_what_does_not_fit_is_one_line_and_exit_code_two(tmp_path):
    write(tmp_path, {"dev.csv": CSV, "said.tsv": SAID.replace("3\t", "9\t")})
    done = wordworth("evaluate", "rte", tmp_path / "said.tsv", "--data", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        f"wordworth: {tmp_path / 'said.tsv'}: 1 id ('9') that rte's dev part (dev.csv) does not have"
    )
    missing = wordworth("evaluate", "rte", tmp_path / "none.tsv", "--data", tmp_path)
    assert missing.code == 2
    assert "there is no such file" in missing.err
    assert wordworth("evaluate", "cloa", tmp_path / "said.tsv").err.startswith(
        "wordworth: no named task 'cloa'; did you"
    )
