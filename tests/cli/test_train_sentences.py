"""`wordworth train-sentences` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.training.sentences.sentence_files import labelled, scored, write

import wordworth as ww
from wordworth.cli.train_sentences import command
from wordworth.errors import BadInput


def run(*arguments: object):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


@pytest.mark.slow
def test_it_says_what_was_gained_and_where_the_page_is(tmp_path):
    model, nli, sts = write_tiny_encoder(tmp_path / "tiny"), labelled(tmp_path / "nli.csv"), scored(tmp_path / "s.csv")
    options = ["--max-length", 64, "--batch-size", 32, "--matryoshka", "8,16", "--out", tmp_path / "sbert"]
    result = run(nli, "--model", model, "--dev", sts, *options)
    assert "Spearman's correlation × 100 on 90 dev rows" in result.output
    assert "sbert/report.html" in result.output
    assert ww.read_record(tmp_path / "sbert").settings["matryoshka"] == [8, 16]


@pytest.mark.parametrize(
    ("header", "rows", "options", "message"),
    [
        ("text_a,text_b", [("a", "b"), ("c", "d")], ["--loss", "softmax"], "name its column with --label"),
        ("text_a,text_b", [("a", "b")], [], "1 row is left to learn from"),
        (
            "text_a,text_b,score",
            [("a", "b", "1"), ("c", "d", "<script>")],
            ["--loss", "cosine"],
            "'<script>' is not a number",
        ),
        ("text_a,text_b", [("", "b")], [], "has an empty 'text_a'"),
    ],
)
def test_bad_rows_are_refused_and_nothing_is_written(tmp_path, header, rows, options, message):
    path = write(tmp_path / "x.csv", header.split(","), rows)
    with pytest.raises(BadInput) as error:
        run(path, "--model", "mini", *options, "--out", tmp_path / "sbert")
    assert message in error.value.in_flags
    assert not (tmp_path / "sbert").exists()


def test_rows_that_are_not_alike_and_rows_that_repeat_are_counted(tmp_path):
    alike = [(f"a text {n % 9}", f"a text {n % 9} there", "1") for n in range(10)]
    path = write(tmp_path / "x.csv", ["text_a", "text_b", "label"], [*alike, *((f"b {n}", "c", "0") for n in range(5))])
    model = write_tiny_encoder(tmp_path / "tiny")
    output = run(path, "--model", model, "--epochs", 1, "--max-length", 64, "--out", tmp_path / "sbert").output
    assert "10 of 15 rows are labelled '1' and are learned from, 5 are labelled otherwise" in output
    assert "1 of 10 rows repeats the texts of an earlier one" in output


def test_a_prompt_before_all_texts_beside_one_before_some_is_refused_by_its_flag(tmp_path):
    path = write(tmp_path / "pairs.csv", ["text_a", "text_b"], [("a", "b"), ("c", "d")])
    with pytest.raises(BadInput) as error:
        run(path, "--prompt", "x: ", "--query-prompt", "q: ", "--out", tmp_path / "sbert")
    assert "--query-prompt: --prompt stands before every text" in error.value.in_flags
    assert error.value.in_flags.endswith("give --prompt or --query-prompt, not both")
