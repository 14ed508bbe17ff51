"""Texts and fields of any size: read in bounded memory, or refused in one clear line."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import torch
from pyarrow import parquet
from tests.cli.terminal import wordworth
from tests.inference.tuned_model import write_tuned
from tests.models.tiny import write_tiny

from wordworth.errors import NotEnoughMemory
from wordworth.inference import bulk_embedding as embedding
from wordworth.inference.bulk_embedding import EmbedSettings, embed
from wordworth.models import hidden_states
from wordworth.models.batched_inference import BatchedReader
from wordworth.models.length_batching import ROWS_A_BATCH
from wordworth.models.pooling import SentenceHead, pool_words
from wordworth.models.read_encoder import read_encoder
from wordworth.text.file_formats import parquet as parquet_format
from wordworth.text.file_formats.read import iterate_texts

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
SENTENCE = "the cat sat on the mat and "


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{word} {number} 1 2\n" for number, word in enumerate(sorted(set(SENTENCE.split()))))
    Path("table.txt").write_text(rows)


MEASURED = """
import sys
from wordworth.cli import main
try:
    main()
finally:
    lines = open("/proc/self/status").read().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")


def most_memory(*words: str) -> tuple[int, int]:
    """The exit code of a command in a process of its own, and the bytes of memory it took at most."""
    done = subprocess.run([sys.executable, "-c", MEASURED, *words], capture_output=True, text=True, check=False)
    return done.returncode, int(done.stdout.split()[-1]) * 1024


def unclosed(megabytes: int) -> None:
    with Path("open.csv").open("w") as file:
        file.write('text,label\na text,good\n"never closed,good\n')
        file.writelines((SENTENCE * 40 + ",good\n") * (2**20 // (40 * len(SENTENCE) + 6)) for _ in range(megabytes))


@pytest.mark.parametrize("command", ["embed open.csv --model table.txt --out out.npy", "worth open.csv --out out"])
def test_a_quotation_mark_that_is_never_closed_does_not_take_a_large_file_into_memory(command):
    unclosed(100)
    done = wordworth(*command.split())
    assert done.code == 2
    last = done.err.splitlines()[-1]
    assert last.startswith("wordworth: open.csv, line 3: a field is longer than 67,108,864 characters")
    assert "close every quoted field" in last
    assert not list(Path().glob("out*"))


@needs_proc
def test_a_quotation_mark_that_is_never_closed_takes_no_gigabyte_to_tell():
    unclosed(300)
    code, memory = most_memory("embed", "open.csv", "--model", "table.txt", "--out", "out.npy")
    assert code == 2
    assert memory < 700 * 2**20


def write_texts(lengths: list[int]) -> None:
    Path("texts.txt").write_text(
        "".join((SENTENCE * (length // len(SENTENCE) + 1))[:length] + "\n" for length in lengths)
    )


def test_parts_of_embed_are_bounded_in_characters_as_in_texts(monkeypatch):
    write_texts([40, 40, 50, 10, 200, 90, 10, 1, 1, 1, 1])
    settings = EmbedSettings(model="table.txt", rows=4, characters=100)
    lengths = []

    class Recording:
        width = 1

        def encode(self, texts, **_):
            lengths.append([len(text) for text in texts])
            return np.ones((len(texts), 1), np.float32)

        def unknown_rate(self, texts):  # noqa: ARG002 - an encoder's
            return 0.0

    monkeypatch.setattr(embedding, "load", lambda *_, **__: Recording())
    embed("texts.txt", "out.npy", settings)
    assert lengths == [[40, 40], [50, 10], [200], [90, 10], [1, 1, 1, 1]]


def test_vectors_are_the_same_however_the_texts_are_parted():
    write_texts([40, 400, 50, 10, 200, 90, 10, 1, 7])
    for characters in (1 << 20, 100):
        embed("texts.txt", f"{characters}.npy", EmbedSettings(model="table.txt", characters=characters))
    assert np.array_equal(np.load("100.npy"), np.load(f"{1 << 20}.npy"))


@needs_proc
@pytest.mark.slow  # thirty seconds
def test_five_hundred_long_texts_are_never_held_together():
    write_texts([500_000] * 500)
    code, memory = most_memory("embed", "texts.txt", "--model", "table.txt", "--out", "out.npy")
    assert code == 0
    assert memory < 400 * 2**20


def test_long_rows_of_parquet_are_read_a_few_at_a_time(monkeypatch):
    texts = [f"{number} " + SENTENCE * 200 for number in range(100)]
    parquet.write_table(pa.table({"text": texts}), "long.parquet", use_dictionary=False)
    monkeypatch.setattr(parquet_format, "_MOST_BYTES", 60_000)
    batches, iter_batches = [], parquet.ParquetFile.iter_batches

    def recording(file, **how):
        batches.append(how["batch_size"])
        return iter_batches(file, **how)

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", recording)
    assert [text for _, text in iterate_texts(Path("long.parquet"))] == texts
    assert batches == [11]


def test_the_states_of_a_long_text_are_never_put_together(monkeypatch):
    """In `embed` and in the vectors of `worth`; of a text of 2 MB they took four gigabytes."""
    encoder = read_encoder(write_tiny(Path("model")))
    tokens: list[int] = []
    over = SentenceHead.over

    def counted(head, parts, length):
        return over(head, ((tokens.append(len(states)) or states, places) for states, places in parts), length)

    monkeypatch.setattr(SentenceHead, "over", counted)
    long = "the cab " * 20_000
    assert encoder.pooled_layers([long]).shape[0] == 1
    assert encoder.encode([long], long_texts="window").shape[0] == 1
    assert sum(tokens) > 2 * 20_000
    assert max(tokens) <= ROWS_A_BATCH


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["mean", "first", "last"])
def test_the_words_of_a_long_text_are_pooled_as_its_pieces_come(monkeypatch, mode):
    """Of a text of a million characters, the states of all pieces took three times what those of its words take."""
    encoder = read_encoder(write_tiny(Path("model")))
    held = []
    parts = BatchedReader.parts

    def counted(reading, sequences, plan):
        for number, places, states in parts(reading, sequences, plan):
            held.append((places, states))
            yield number, places, states

    monkeypatch.setattr(BatchedReader, "parts", counted)
    text = "the cabs, " * 20_000
    found = encoder.states([text], pooling=mode)
    assert max(len(states) for _, states in held) <= ROWS_A_BATCH
    places, states = torch.cat([places for places, _ in held]), torch.cat([states for _, states in held])
    (tokens,) = encoder.tokenizer.encode([text])
    whole = pool_words(states[places.argsort()], torch.from_numpy(tokens.words), 60_000, mode)
    assert np.allclose(found.values.transpose(1, 0, 2), whole, atol=1e-5)


def test_states_past_the_memory_of_the_machine_are_refused_before_they_are_read(monkeypatch):
    encoder = read_encoder(write_tiny(Path("model")))
    monkeypatch.setattr(hidden_states, "_memory", lambda: 1e6)
    began = time.monotonic()
    with pytest.raises(NotEnoughMemory, match=r"states of 20,000 words under 3 layers take .* GB.*fewer texts"):
        encoder.states(["the cab " * 10_000])
    assert time.monotonic() - began < 10


@pytest.mark.parametrize("command", ["worth long.csv --out out", "finetune --data long.csv --model mini --out out"])
@pytest.mark.parametrize("megabytes", [2, 10])
def test_a_row_of_megabytes_is_refused_by_its_line_before_any_work(command, megabytes):
    rows = "".join(f"text number {n} of many,{'good' if n % 2 else 'bad'}\n" for n in range(60))
    Path("long.csv").write_text(f"text,label\n{rows}" + "word " * (megabytes * 200_000) + ",good\n")
    began = time.monotonic()
    done = wordworth(*command.split())
    assert done.code == 2
    said = f"long.csv, line 62: a text of {megabytes * 1_000_000:,} characters: at most 1,000,000 are read"
    assert f"wordworth: {said}" in done.err.splitlines()[-1]
    assert "cut it, or leave the row out" in done.err
    assert not Path("out").exists()
    assert time.monotonic() - began < 30


LEARNS_FROM_TEXTS = {
    "distill": "{run} --data {texts} --method kd",
    "study shrink": "{run} --data {texts}",
    "train-sentences": "{pairs} --model {run}",
    "study sentences": "--model {run} --data {pairs}",
    "export": "{run} --to sentence-transformers --data {texts} --text text",
}


@pytest.mark.parametrize("command", LEARNS_FROM_TEXTS)
def test_commands_for_smaller_models_and_sentence_vectors_refuse_a_text_that_no_model_reads(command, tmp_path):
    long = "a" * 1_000_001
    texts, pairs = tmp_path / "texts.csv", tmp_path / "pairs.csv"
    rows = [f"a text {number},{'good' if number % 2 else 'bad'}" for number in range(40)]
    texts.write_text("\n".join(["text,label", *rows, f"{long},good"]))
    pairs.write_text("\n".join(["text_a,text_b,score", *(f"a {n},b {n},{n % 5}" for n in range(40)), f"{long},b,1"]))
    words = LEARNS_FROM_TEXTS[command].format(run=write_tuned(tmp_path), texts=texts, pairs=pairs)
    done = wordworth(*command.split(), *words.split(), "--out", str(tmp_path / "out"))
    assert done.code == 2
    assert "a text of 1,000,001 characters: at most 1,000,000 are read" in done.err.splitlines()[-1]
    assert not (tmp_path / "out").exists()
