"""`embed` stopped at any moment leaves nothing half-written and goes on to the same bytes."""

from __future__ import annotations

import errno
import json
import random
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from pyarrow import parquet
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.inference import bulk_embedding_parts
from wordworth.inference.bulk_embedding import EmbedSettings, embed
from wordworth.inference.bulk_embedding_parts import PartsFolder
from wordworth.progress import SILENT

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
WORDS = [f"word{number}" for number in range(200)]
RUN = """
import sys
from wordworth.inference.bulk_embedding import EmbedSettings, embed
embed(sys.argv[1], sys.argv[2], EmbedSettings(model=sys.argv[3], rows=20, id="name"))
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    """A small static table in GloVe's text format."""
    draw = np.random.default_rng(0)
    path = tmp_path_factory.mktemp("table") / "small.txt"
    path.write_text("".join(f"{word} {' '.join(f'{x:.4f}' for x in draw.normal(size=8))}\n" for word in WORDS))
    return path


@pytest.fixture
def texts(tmp_path) -> Path:
    draw = random.Random(1)
    rows = [{"name": f"row {n}", "text": " ".join(draw.choices(WORDS, k=draw.randint(0, 9)))} for n in range(3000)]
    path = tmp_path / "texts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def start(texts: Path, out: Path, table: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", RUN, str(texts), str(out), str(table)])


def made(parts: Path) -> int:
    """How many parts are there; none once the folder goes, at the very end."""
    try:
        return len(list(parts.glob("*.npy")))
    except FileNotFoundError:
        return 0


def killed_on_the_way(process: subprocess.Popen[bytes], parts: Path, draw: random.Random) -> bool:
    """Kill it once a drawn number of parts more is there; whether it had not ended by itself."""
    goal = made(parts) + draw.randint(0, 25)
    while process.poll() is None and made(parts) < goal:
        time.sleep(0.001)
    time.sleep(draw.random() * 0.01)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def run_with_kills(texts: Path, table: Path, kills: int) -> None:
    draw, whole, stopped = random.Random(kills), texts.with_name("whole.parquet"), texts.with_name("stopped.parquet")
    embed(texts, whole, EmbedSettings(model=str(table), rows=20, id="name"))
    parts, done = stopped.with_name("stopped.parquet.parts"), 0
    while done < kills:
        if killed_on_the_way(start(texts, stopped, table), parts, draw):
            done += 1
        else:  # it ended before its time: the bytes must be right already, and the next kill starts a new run
            assert stopped.read_bytes() == whole.read_bytes()
            stopped.unlink()
    last = start(texts, stopped, table)
    assert last.wait() == 0
    assert stopped.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in texts.parent.iterdir()) == ["stopped.parquet", "texts.jsonl", "whole.parquet"]


@pytest.mark.slow
def test_three_kills_at_random_give_the_bytes_of_an_undisturbed_run(texts, table):
    run_with_kills(texts, table, 3)


@pytest.mark.slow
def test_twenty_kills_at_random_give_the_bytes_of_an_undisturbed_run(texts, table):
    run_with_kills(texts, table, 20)


def stop_after(monkeypatch, calls: int, error: BaseException) -> None:
    """Let so many parts be written, then raise."""
    real, count = bulk_embedding_parts.write_arrays, iter(range(10_000))

    def write(path, vectors):
        if next(count) >= calls:
            path.write_bytes(b"half a part")
            raise error
        real(path, vectors)

    monkeypatch.setattr(bulk_embedding_parts, "write_arrays", write)


def interrupt_after(monkeypatch, calls: int, texts: Path, out: Path, settings: EmbedSettings) -> None:
    """Stop a run by Ctrl-C once so many parts are written."""
    with monkeypatch.context() as stopped:
        stop_after(stopped, calls, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            embed(texts, out, settings)


@pytest.mark.parametrize("suffix", [".parquet", ".npy"])
def test_a_full_disk_is_said_in_one_line_and_leaves_no_half_part(texts, table, monkeypatch, suffix):
    settings, out = EmbedSettings(model=str(table), rows=500), texts.with_name(f"vectors{suffix}")
    with monkeypatch.context() as full:
        stop_after(full, 2, OSError(errno.ENOSPC, "No space left on device"))
        with pytest.raises(BadInput, match="the disk is full"):
            embed(texts, out, settings)
    names = sorted(path.name for path in out.with_name(f"{out.name}.parts").iterdir())
    assert names == ["00000000.npy", "00000001.npy", "made-of.json"]
    assert not out.exists()
    assert embed(texts, out, settings).resumed == 1000


def test_control_c_leaves_whole_parts_and_the_next_run_goes_on(texts, table, monkeypatch):
    settings, out = EmbedSettings(model=str(table), rows=500), texts.with_name("vectors.npy")
    interrupt_after(monkeypatch, 3, texts, out, settings)
    assert embed(texts, out, settings).resumed == 1500


@pytest.mark.parametrize("change", ["input", "rows", "model"])
def test_parts_of_another_run_are_not_taken_up(texts, table, monkeypatch, change):
    settings, out = EmbedSettings(model=str(table), rows=500), texts.with_name("vectors.npy")
    interrupt_after(monkeypatch, 1, texts, out, settings)
    other = texts.with_name("other.txt")
    other.write_text(table.read_text().replace("word1 ", "word0001 "))
    if change == "input":
        texts.write_text(texts.read_text() + '{"name": "one more", "text": "word1"}\n')
    given = {"input": settings, "rows": EmbedSettings(model=str(table), rows=400)}
    with pytest.raises(BadInput, match=f"made with another.*{change}.*`overwrite` to start again"):
        embed(texts, out, given.get(change, EmbedSettings(model=str(other), rows=500)))


def test_of_another_model_the_kernel_that_follows_from_it_is_not_named(texts, table, monkeypatch):
    settings, out = EmbedSettings(model=str(table), rows=500), texts.with_name("vectors.npy")
    interrupt_after(monkeypatch, 1, texts, out, settings)
    monkeypatch.setattr("wordworth.inference.bulk_embedding.kernel_of", lambda _: "other")
    with pytest.raises(BadInput, match="made with another kernel; "):
        embed(texts, out, settings)
    other = texts.with_name("other.txt")
    other.write_text(table.read_text().replace(" 0.", " 0.5"))
    with pytest.raises(BadInput, match="made with another model; "):
        embed(texts, out, EmbedSettings(model=str(other), rows=500))


def test_overwrite_removes_the_parts_of_another_model_and_says_so(texts, table, monkeypatch, heard):
    settings, out = EmbedSettings(model=str(table), rows=500), texts.with_name("vectors.npy")
    interrupt_after(monkeypatch, 1, texts, out, settings)
    other = texts.with_name("other.txt")
    other.write_text(table.read_text().replace(" 0.", " 0.5"))
    report = embed(texts, out, EmbedSettings(model=str(other), rows=500, overwrite=True), progress=heard)
    assert report.resumed == 0
    assert "made with another model: they are removed, and the work starts anew" in heard.notes[0]
    embed(texts, texts.with_name("whole.npy"), EmbedSettings(model=str(other), rows=500))
    assert out.read_bytes() == texts.with_name("whole.npy").read_bytes()
    assert not out.with_name("vectors.npy.parts").exists()


def test_a_run_that_was_killed_before_its_first_part_stands_in_nobodys_way(texts, table):
    out = texts.with_name("vectors.npy")
    folder = out.with_name("vectors.npy.parts")
    folder.mkdir()
    (folder / "made-of.json").write_text('{"model": "of another run"}')
    assert embed(texts, out, EmbedSettings(model=str(table), rows=500)).rows == 3000
    assert not folder.exists()


def test_overwrite_goes_on_with_parts_of_the_same_run(texts, table, monkeypatch, heard):
    settings, out = EmbedSettings(model=str(table), rows=500, overwrite=True), texts.with_name("vectors.npy")
    interrupt_after(monkeypatch, 2, texts, out, settings)
    assert embed(texts, out, settings, progress=heard).resumed == 1000
    assert not any("removed" in note for note in heard.notes)


def test_overwrite_never_removes_a_file_that_is_not_a_part(texts, table):
    out = texts.with_name("vectors.npy")
    folder = out.with_name("vectors.npy.parts")
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"holds 'mine\.txt'"):
        embed(texts, out, EmbedSettings(model=str(table), overwrite=True))
    assert (folder / "mine.txt").read_text() == "mine"


def test_rows_keep_their_order_and_their_names(texts, table):
    out = texts.with_name("vectors.parquet")
    report = embed(texts, out, EmbedSettings(model=str(table), rows=700, id="name"))
    found = parquet.read_table(out)
    assert report.rows == found.num_rows == 3000
    assert found.column("id").to_pylist() == [f"row {number}" for number in range(3000)]
    plain = texts.with_name("vectors.npy")
    embed(texts, plain, EmbedSettings(model=str(table), rows=3000))
    vectors = np.array(found.column("vector").to_pylist(), np.float32)
    assert np.array_equal(vectors, np.load(plain))


def test_numbers_name_the_rows_where_no_id_is_asked_for(texts, table):
    out = texts.with_name("vectors.parquet")
    embed(texts, out, EmbedSettings(model=str(table), rows=700))
    assert parquet.read_table(out).column("id").to_pylist() == list(range(3000))


@pytest.mark.parametrize("name", ["vectors.xlsx", "vectors"])
def test_an_unknown_kind_of_output_is_refused_before_any_work(texts, table, name):
    with pytest.raises(BadInput, match=r"name it \.parquet, \.npy, \.jsonl or \.csv"):
        embed(texts, texts.with_name(name), EmbedSettings(model=str(table)))
    assert list(texts.parent.iterdir()) == [texts]


def test_a_misspelt_column_is_named_before_any_work(texts, table):
    with pytest.raises(BadInput, match="did you mean 'text'"):
        embed(texts, texts.with_name("v.npy"), EmbedSettings(model=str(table), text="txt"))


def test_an_interrupt_says_how_much_is_kept(texts, table, tmp_path):
    notes, done = [], []

    class Watching:
        @contextmanager
        def step(self, title, total=None):  # noqa: ARG002 - a Progress
            yield self

        def advance(self, amount=1):
            done.append(amount)
            if sum(done) > 50:
                raise KeyboardInterrupt

        def note(self, message):
            notes.append(message)

    settings = EmbedSettings(model=str(table), rows=20)
    with pytest.raises(KeyboardInterrupt):
        embed(texts, tmp_path / "v.npy", settings, progress=Watching())
    assert notes == [f"kept 60 of 3,000 texts in {tmp_path / 'v.npy.parts'}: the same command goes on from there"]


def test_texts_without_a_known_word_are_counted(table, tmp_path):
    source, out = tmp_path / "t.txt", tmp_path / "v.npy"
    source.write_text("word1 word2\n\n这部电影\nword3\n", encoding="utf-8")
    report = embed(source, out, EmbedSettings(model=str(table)))
    assert report.blank == 2
    assert report.unread == 0.25  # of four words, the Chinese one


def test_embed_says_once_that_it_reads_long_texts_in_windows(tmp_path):
    source, notes = tmp_path / "t.txt", []
    source.write_text("the cab\n" + ("a bab " * 40 + "\n") * 3)
    watching = SimpleNamespace(note=notes.append, step=SILENT.step)
    embed(source, tmp_path / "v.npy", EmbedSettings(model=str(write_tiny(tmp_path / "m")), rows=2), progress=watching)
    assert notes == ["texts of over 24 tokens are read whole, in overlapping windows"]


@pytest.mark.parametrize("harm", ["a bit", "the end"])
def test_a_part_that_was_damaged_since_is_made_again(table, texts, tmp_path, monkeypatch, harm):
    whole, out = tmp_path / "whole.npy", tmp_path / "out.npy"
    settings = EmbedSettings(model=str(table), rows=500)
    embed(texts, whole, settings)
    interrupt_after(monkeypatch, 3, texts, out, settings)
    part = tmp_path / "out.npy.parts" / "00000001.npy"
    data = bytearray(part.read_bytes())
    data[700] ^= 1
    part.write_bytes(bytes(data) if harm == "a bit" else bytes(data[:-100]))
    report = embed(texts, out, settings)
    assert out.read_bytes() == whole.read_bytes()
    assert report.resumed == 1_000


def test_texts_that_are_empty_are_counted(table, tmp_path):
    path = tmp_path / "few.jsonl"
    path.write_text('{"text": "word1"}\n{"text": null}\n{"text": " "}\n')
    assert embed(path, tmp_path / "few.npy", EmbedSettings(model=str(table))).empty == 2


def test_an_interrupt_before_the_first_part_leaves_no_folder(table, texts, tmp_path, monkeypatch):
    with monkeypatch.context() as stopped:
        stop_after(stopped, 0, KeyboardInterrupt())
        with pytest.raises(KeyboardInterrupt):
            embed(texts, tmp_path / "v.npy", EmbedSettings(model=str(table)))
    assert not (tmp_path / "v.npy.parts").exists()


def test_an_interrupt_at_once_keeps_the_parts_of_an_earlier_run(table, texts, tmp_path, monkeypatch):
    out, settings = tmp_path / "v.npy", EmbedSettings(model=str(table), rows=500)
    interrupt_after(monkeypatch, 2, texts, out, settings)
    with monkeypatch.context() as at_once:
        at_once.setattr(PartsFolder, "is_intact", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            embed(texts, out, settings)
    assert embed(texts, out, settings).resumed == 1_000
