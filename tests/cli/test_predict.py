"""`wordworth predict`: a line that says what was written, and in which numbers it was computed."""

import pytest
from tests.cli.terminal import wordworth
from tests.inference.tuned_model import write_tuned


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("tuned"), steps=1)


@pytest.mark.parametrize(
    ("dtype", "computed"),
    [("bfloat16", ", computed in bfloat16 (--dtype float32 is exact)"), ("float32", "")],
)
def test_it_says_where_it_computed_in_bfloat16(run, tmp_path, dtype, computed):
    texts, out = tmp_path / "new.csv", tmp_path / "answers.csv"
    texts.write_text("text\na bad film\n\nthe cab\n")
    done = wordworth("predict", run, texts, "--out", out, "--dtype", dtype)
    assert (done.code, done.out) == (0, f"{out}: 2 answers{computed}\n")
    assert len(out.read_text().splitlines()) == 3


def test_rows_with_an_empty_text_are_counted(run, tmp_path):
    texts, out = tmp_path / "new.csv", tmp_path / "answers.jsonl"
    texts.write_text('text\na bad film\n""\n')
    done = wordworth("predict", run, texts, "--out", out, "--dtype", "float32")
    assert done.out == f"{out}: 1 answer; 1 row with an empty text, left without one\n"
