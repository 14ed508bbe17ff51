"""The terminal and the machine around a command: full, foreign, without a home; and what data may do to it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from tests.cli.terminal import wordworth

import wordworth as ww
from wordworth.cli.main_process_output import escape_controls
from wordworth.cli.progress_bars import Bars
from wordworth.files import cache_folder

ESCAPE = "\x1b]0;owned\x07\x1b[31m"


def command(*words, cwd=None, out=subprocess.PIPE, before=None, **environment):
    return subprocess.run(
        before or [sys.executable, "-m", "wordworth", *words],
        env={**os.environ, **environment},
        cwd=cwd,
        stdout=out,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
    )


def one_line(done, *parts):
    assert done.returncode == 2, done.stderr
    *progress, line = done.stderr.decode().splitlines()
    assert all(each.endswith("…") for each in progress)  # on a slow machine
    assert line.startswith("wordworth: ")
    assert all(part in line for part in parts), line


def test_escape_sequences_of_data_do_not_reach_the_terminal(tmp_path):
    data = tmp_path / "a.csv"
    data.write_text("text,label\n" + "".join(f"text {row},{ESCAPE if row % 2 else 'b'}\n" for row in range(4)))
    done = wordworth("worth", data, "--label", f"{ESCAPE}label", "--out", tmp_path / "out")
    assert done.code == 2
    assert not {"\x1b", "\x07"} & {*done.out, *done.err}
    assert "\\x1b" in done.err


OBEYED = {"\x07", "\x1b", "\x7f", "\x9b", "\u202e"}
LABELS = f"{ESCAPE}good", "bad\x7f\x9b\u202e"


def test_a_finished_study_prints_no_escape_sequences_of_labels(tmp_path):
    lines = (f"{' '.join(f'w{(7 * row + place) % 31}' for place in range(8))} n{row % 2}" for row in range(120))
    rows = "".join(f"{line},{LABELS[row % 2]}\n" for row, line in enumerate(lines))
    (tmp_path / "a.csv").write_text(f"text,label\n{rows}")
    costs = "".join(f"{true},{said},{cost}\n" for true, said, cost in ((*LABELS, 1), (*LABELS[::-1], 5)))
    (tmp_path / "costs.csv").write_text(f"true,predicted,cost\n{costs}")
    options = ("--quick", "--rung", "tfidf", "--seeds", 2, "--costs", tmp_path / "costs.csv")
    done = wordworth("worth", tmp_path / "a.csv", *options, "--out", tmp_path / "out")
    assert done.code == 0
    assert not OBEYED & {*done.out, *done.err}
    assert "texts of '\\x1b]0;owned\\x07\\x1b[31mgood' hold 'n0'" in done.out
    assert f"answering “{escape_controls(LABELS[1])}” costs least" in done.out


def predicted(path):
    """A file of labels with escape sequences beside predictions of them."""
    path.write_text("label,prediction\n" + "".join(f"{LABELS[row % 2]},{LABELS[row // 2 % 2]}\n" for row in range(20)))
    return path


@pytest.mark.parametrize("label", LABELS)
def test_finished_scores_print_no_escape_sequences_of_labels(tmp_path, label):
    done = wordworth("evaluate", predicted(tmp_path / "a.csv"), "--metric", f"f1:{label}")
    assert (done.code, done.err) == (0, "")
    assert not OBEYED & {*done.out}
    assert done.out.startswith(f"f1:{escape_controls(label)}  ")


@pytest.mark.parametrize("label", LABELS)
def test_json_of_labels_with_escape_sequences_is_json_and_prints_none(tmp_path, label):
    done = wordworth("evaluate", predicted(tmp_path / "a.csv"), "--metric", f"f1:{label}", "--json")
    assert not OBEYED & {*done.out}
    assert json.loads(done.out)["settings"]["metric"] == f"f1:{label}"


def test_json_of_texts_with_escape_sequences_is_json_and_prints_none(tmp_path):
    (tmp_path / "v.vec").write_text("hello 1 2\nworld 2 1\n")
    rows = [{"text": f"hello {LABELS[0]}"}, {"text": f"world {LABELS[1]}"}]
    ww.build_index(rows, tmp_path / "index", model=str(tmp_path / "v.vec"))
    done = wordworth("search", "ask", "hello", "--index", tmp_path / "index", "--json")
    assert not OBEYED & {*done.out}
    assert {json.loads(line)["text"] for line in done.out.splitlines()} == {row["text"] for row in rows}


def test_escape_sequences_in_notes_and_bars_are_spelt_out(capsys):
    bars = Bars()
    bars.note(f"the label {ESCAPE} \u202e and caf\u00e9")
    with bars.step(ESCAPE, 1) as step:
        step.advance()
    said = capsys.readouterr().err
    assert not {"\x1b", "\x07", "\u202e"} & set(said)
    assert "\\x1b]0;owned\\x07\\x1b[31m \\u202e and caf\u00e9" in said


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("words", [["models"], ["--help"]])
def test_a_full_device_is_one_line(words):
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        one_line(command(*words, out=full), "no space left on device", "send the output elsewhere")


def test_an_encoding_that_lacks_a_character_spells_it_out(tmp_path):
    (tmp_path / "a.csv").write_text("text\nhello\n")
    (tmp_path / "v.vec").write_text("hello 1 2\n")
    words = ["embed", "a.csv", "--model", "v.vec", "--out", "向量.npy"]
    done = command(*words, cwd=tmp_path, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0, done.stderr
    assert done.stdout == b"\\u5411\\u91cf.npy: 1 vector of 2 numbers\n"
    assert (tmp_path / "\u5411\u91cf.npy").exists()
    words[2] = "\u5411.csv"
    one_line(command(*words, cwd=tmp_path, PYTHONIOENCODING="latin-1"), "\\u5411.csv")


def test_a_working_folder_that_is_gone_is_one_line(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    script = 'cd "$1" && rmdir "$1" && exec "$2" -P -m wordworth embed a.csv --model b --out c.npy'
    done = command(before=["bash", "-c", script, "bash", str(gone), sys.executable])
    assert done.returncode == 2
    assert len(done.stderr.decode().splitlines()) <= 2
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("length", [240, 250, 300])
@pytest.mark.parametrize(
    "command_line", ["embed a.csv --model {} --out b.npy", "embed a.csv --model v.vec --out {}.npy"]
)
def test_a_long_name_is_one_line(tmp_path, monkeypatch, length, command_line):
    (tmp_path / "a.csv").write_text("text\nhello\n")
    (tmp_path / "v.vec").write_text("hello 1 2\n")
    monkeypatch.chdir(tmp_path)
    done = wordworth(*command_line.format("x" * length).split())
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("wordworth: ")


@pytest.mark.parametrize("length", [234, 240])  # the first fits, but not with `.json` behind it
def test_a_name_too_long_for_its_neighbours_is_refused_before_any_text_is_read(tmp_path, monkeypatch, length):
    (tmp_path / "a.csv").write_text("text\nhello\n")
    (tmp_path / "v.vec").write_text("hello 1 2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("wordworth.inference.bulk_embedding.prepare", lambda *_: pytest.fail("the model was read"))
    done = wordworth("embed", "a.csv", "--model", "v.vec", "--out", f"{'x' * length}.npy")
    assert done.code == 2
    assert "cannot write: File name too long; choose another --out" in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "v.vec"]


def test_a_hub_address_that_is_none_is_one_line():
    one_line(command("models", "--download", "a/b", HF_ENDPOINT="nonsense"), "a/b: cannot download", "check the name")


def test_no_home_is_one_line(monkeypatch):
    def without_entry():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("WORDWORTH_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr("pathlib.Path.home", without_entry)
    with pytest.raises(Exception, match=r"no home folder.*set WORDWORTH_CACHE"):
        cache_folder()


@pytest.mark.skipif(os.getuid() != 0 or not shutil.which("setpriv"), reason="only root can become a user without entry")
@pytest.mark.parametrize(("words", "code"), [("models", 0), ("doctor mini", 2)])
def test_a_user_without_entry_and_home_is_told_where_to_keep_things(words, code):
    script = 'unset HOME WORDWORTH_CACHE XDG_CACHE_HOME; exec setpriv --reuid 54321 --clear-groups "$@"'
    if subprocess.run(
        ["bash", "-c", script, "bash", sys.executable, "-c", ""], capture_output=True, check=False
    ).returncode:
        pytest.skip("only root may run this interpreter")
    done = command(before=["bash", "-c", script, "bash", sys.executable, "-m", "wordworth", *words.split()])
    assert done.returncode == code, done.stderr
    if code:
        one_line(done, "this user has no home folder", "set WORDWORTH_CACHE")
    else:
        assert b"minilm" in done.stdout


def test_a_file_of_bare_words_is_no_table(tmp_path, monkeypatch):
    (tmp_path / "a.csv").write_text("text\nhello\n")
    (tmp_path / "v.vec").write_text("hello\nworld\n")
    monkeypatch.chdir(tmp_path)
    done = wordworth(*["embed", "a.csv", "--model", "v.vec", "--out", "b.npy"])
    assert done.code == 2
    assert "v.vec, line 1: a word without numbers" in done.err
    assert not (tmp_path / "b.npy").exists()


@pytest.mark.parametrize("number", ["3e38", "1e39"])
def test_a_table_whose_sums_overflow_writes_nothing(tmp_path, monkeypatch, number):
    (tmp_path / "a.csv").write_text("text\nhello hello hello\n")
    (tmp_path / "v.vec").write_text(f"hello {number} {number}\nworld 1 2\n")
    monkeypatch.chdir(tmp_path)
    with np.errstate(all="raise"):
        done = wordworth(*["embed", "a.csv", "--model", "v.vec", "--out", "b.npy"])
    assert done.code == 2
    assert "float32" in done.err or "infinity" in done.err
    assert not (tmp_path / "b.npy").exists()
