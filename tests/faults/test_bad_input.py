"""Every mistake a person can make, through the real command line: one clear line, exit code 2, nothing half-written."""

from __future__ import annotations

import gzip
import json
import pickle
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from safetensors.numpy import load_file, save_file
from tests.cli.terminal import wordworth
from tests.models.tiny import PIECES, write_tiny

from wordworth.records import Record
from wordworth.studies.worth import study as loaded  # noqa: F401 - loading takes a second and is told: not the point

Make = Callable[[Path], object]
"""Prepares something in the folder that a case runs in."""

ROWS = 60
LINES = [f"text number {n} of many,{'good' if n % 2 else 'bad'}" for n in range(ROWS)]
CSV = "\n".join(["text,label", *LINES]) + "\n"
JSONL = "".join(json.dumps({"text": f"text {n}", "label": n % 2}) + "\n" for n in range(ROWS))


def file(name: str, data: str | bytes = CSV) -> Make:
    return lambda folder: (folder / name).write_bytes(data.encode() if isinstance(data, str) else data)


def array(name: str, values: np.ndarray) -> Make:
    return lambda folder: np.save(folder / name, values)


def table(name: str, columns: Mapping[str, object]) -> Make:
    return lambda folder: parquet.write_table(pa.table(columns), folder / name)


def truncated(name: str, make: Make, keep: float = 0.5) -> Make:
    def spoil(folder: Path) -> None:
        make(folder)
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: int(keep * len(data))])

    return spoil


def model(spoil: Callable[[Path], object] = lambda _: None) -> Make:
    """A small sound checkpoint in `model/`, spoilt."""
    return lambda folder: spoil(write_tiny(folder / "model"))


def recorded(kind: str) -> Make:
    """The record of a study of this kind in `out`, or JSON of someone else's."""

    def write(folder: Path) -> None:
        (folder / "out").mkdir()
        if kind:
            Record(kind, {}, {}, {}, []).save(folder / "out" / "record.json")
        else:
            (folder / "out" / "record.json").write_text('{"a": 1}')

    return write


def without(name: str) -> Make:
    return model(lambda folder: (folder / name).unlink())


def configured(**changes: object) -> Make:
    def change(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return model(change)


def weights(data: bytes) -> Make:
    return model(lambda folder: (folder / "model.safetensors").write_bytes(data))


def lying(folder: Path) -> None:
    header = json.dumps({"w": {"dtype": "F32", "shape": [2**40], "data_offsets": [0, 2**42]}}).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 64)


def halved(folder: Path) -> None:
    path = folder / "model.safetensors"
    save_file({name: value for name, value in load_file(path).items() if "layer.1" not in name}, path)


class Evil:
    def __reduce__(self) -> tuple[object, ...]:
        return exec, ("raise SystemExit('the pickle ran')",)


@dataclass(frozen=True, kw_only=True)
class Bad:
    """A command that cannot succeed, what is prepared for it, and what its one line has to hold."""

    words: str
    says: tuple[str, ...]
    make: tuple[Make, ...] = field(default=(file("a.csv"),))


def worth(options: str, *says: str, make: Make | None = None, name: str = "a.csv") -> Bad:
    return Bad(words=f"worth {name} {options} --out out", says=says, make=(file("a.csv"), *([make] if make else [])))


def data(content: str | bytes, *says: str, name: str = "a.csv", options: str = "") -> Bad:
    return Bad(words=f"worth {name} {options} --out out", says=says, make=(file(name, content),))


def checkpoint(make: Make, *says: str) -> Bad:
    return worth("--model model", *says, make=make)


def vectors(name: str, make: Make, *says: str) -> Bad:
    return worth(f"--vectors {name}", *says, make=make)


def page(content: str | bytes, *says: str) -> Bad:
    return Bad(words="report r.json --out out.html", says=says, make=(file("r.json", content),))


RECORD = {"kind": "worth", "version": 1, "settings": {}, "data": {}, "tables": {}, "findings": []}

CASES = {
    # the command line itself
    "an unknown command": Bad(words="wroth a.csv", says=("no command 'wroth'", "did you mean 'worth'?")),
    "an unknown option": worth("--lable x", "'--lable'", "'--label'", "wordworth worth --help"),
    "an option without its value": Bad(words="worth a.csv --metric", says=("'--metric' requires an argument",)),
    "no file": Bad(words="worth", says=("DATA", "wordworth worth --help")),
    "two files": Bad(words="worth a.csv b.csv", says=("unexpected extra argument", "b.csv")),
    "a word where a number belongs": worth("--seeds many", "--seeds", "'many'"),
    "an argument for a command that takes none": Bad(words="models minilm", says=("minilm",)),
    # settings out of range
    "no margin": worth("--margin 0", "--margin", "out of range"),
    "an endless margin": worth("--margin inf", "--margin", "out of range"),
    "a margin that is no number": worth("--margin nan", "--margin", "out of range"),
    "one seed": worth("--seeds 1", "--seeds 1", "out of range"),
    "a negative price": worth("--hourly-price -1", "--hourly-price", "out of range"),
    "an endless price": worth("--label-price inf", "--label-price", "out of range"),
    "a negative price of vectors": worth("--vector-price -1", "--vector-price", "out of range"),
    "no threads": worth("--threads 0", "--threads 0", "out of range", "give 1 or more"),
    "a price of vectors and no vectors": worth("--vector-price 20", "--vector-price", "add --vectors"),
    "a model folder that is not there": worth("--model ./nothere", "'./nothere'", "check the path"),
    "a misspelt model": worth("--model minilmm", "did you mean 'minilm'?"),
    "a CSV as vectors": vectors("b.csv", file("b.csv"), "b.csv: no column of vectors", "a column `vector` of lists"),
    "a workbook": worth("", "a spreadsheet", "CSV UTF-8", make=file("b.xlsx", b"PK\3\4x"), name="b.xlsx"),
    "a workbook called CSV": data(b"PK\3\4 and more", "a spreadsheet", "CSV UTF-8"),
    "a workbook to embed": Bad(
        words="embed a.xlsx --out v.npy --model glove", says=("a spreadsheet",), make=(file("a.xlsx", b"PK\3\4x"),)
    ),
    "a folder to embed": Bad(words="embed . --out v.npy --model glove", says=("a folder, not a file",)),
    "an empty CSV to embed": Bad(
        words="embed e.csv --out v.npy --model glove", says=("the file is empty",), make=(file("e.csv", ""),)
    ),
    "Chinese that is no UTF-8": data("text,label\n这部电影非常好,好\n".encode("gbk"), "not UTF-8", "iconv -f GB18030"),
    "Chinese to embed that is no UTF-8": Bad(
        words="embed g.csv --out v.npy --model glove", says=("line 2", "iconv -f GB18030", "CSV UTF-8"),
        make=(file("g.csv", "text\n这部电影非常好\n".encode("gbk")),),
    ),
    "too small a limit": worth("--limit 3", "--limit", "too few"),
    "a test share past one": worth("--test 1.5", "--test", "between 0 and 1"),
    # data
    "a missing file": worth("", "no such file", "did you mean 'a.csv'?", name="b.csv"),
    "a folder": Bad(words="worth . --out out", says=("a folder, not a file", "a.csv")),
    "an empty file": data("", "a.csv", "empty"),
    "a header alone": data("text,label\n", "a.csv", "no rows"),
    "an unknown suffix": data(CSV, "unknown kind of file '.rtf'", name="a.rtf"),
    "an unknown format": worth("--format cvs", "no format 'cvs'", "did you mean 'csv'?"),
    "a misspelt text column": worth("--text txet", "text column 'txet' not found", "did you mean 'text'?"),
    "a misspelt label column": worth("--label lable", "label column 'lable' not found", "did you mean 'label'?"),
    "a second label column that is missing": worth("--label label --label rude", "'rude' not found"),
    "a missing second text": worth("--text text --text-b other", "second text column 'other' not found"),
    "one class": data(CSV.replace("bad", "good"), "every row has the label 'good'"),
    "bytes of another encoding": data(CSV.encode() + b"caf\xe9,good\n", "line 62", "0xe9", "UTF-8"),
    "a ragged row": data(CSV + "one, two,good\n", "a.csv, line 62", "3 fields where the header has 2"),
    "NaN labels": data(CSV + "one,NaN\ntwo,nan\n", "2 of 62 rows have no label", "lines 62, 63"),
    "an unclosed quote": data(CSV + '"open,good\n', "a.csv, line 62", "quot"),
    "a truncated .gz": data(gzip.compress(CSV.encode())[:-20], "a.csv.gz", "damaged", name="a.csv.gz"),
    "a broken line of JSON": data(JSONL + '{"text": "op\n', "a.jsonl, line 61", "not JSON", name="a.jsonl"),
    "a truncated parquet file": Bad(
        words="worth a.parquet --out out", says=("a.parquet", "not a whole Parquet file"),
        make=(truncated("a.parquet", table("a.parquet", {"text": ["a"] * 99, "label": ["b"] * 99})),),
    ),
    "a CoNLL file of words alone": data("EU\nrejects\n", "a.conll, line 1", "tag", name="a.conll"),
    "an amount that is no number": data(
        "text,label\n" + "".join(f"text {n},{n}.5\n" for n in range(30)) + "last,much\n",
        "line 32", "'much' is not a number", options="--kind regression",
    ),
    "a misspelt kind": worth("--kind taging", "'taging'", "did you mean 'tagging'?"),
    "a misspelt metric": worth("--metric acuracy", "no metric 'acuracy'", "did you mean 'accuracy'?"),
    "a metric of an unknown class": worth("--metric f1:god", "no class 'god'", "did you mean 'good'?"),
    "a metric of another kind": worth("--metric spearman", "does not measure a task of kind classification"),
    "a missing test file": worth("--test april.csv", "april.csv", "no such file"),
    "an empty test file": worth("--test t.csv", "t.csv", "empty", make=file("t.csv", "")),
    "a test file of other classes": worth(
        "--test t.csv", "t.csv", "'ugly'", make=file("t.csv", CSV.replace("bad", "ugly"))
    ),
    # checkpoints
    "an unknown model": worth("--model minilmm", "no model", "'minilmm'", "did you mean 'minilm'?"),
    "a hub name that was never fetched": worth(
        "--model nobody/nothing", "'nobody/nothing'", "wordworth models --download nobody/nothing"
    ),
    "a table as an encoder": worth("--model glove", "--models glove names a table", "on the ladder already"),
    "a file as an encoder": worth("--model a.csv", "a.csv"),
    "an empty folder": checkpoint(lambda folder: (folder / "model").mkdir(), "model", "empty"),
    "a checkpoint without config": checkpoint(without("config.json"), "config.json", "holds no encoder"),
    "a config that is no JSON": checkpoint(
        model(lambda folder: (folder / "config.json").write_text("{")), "config.json", "not a whole JSON"
    ),
    "a config that is not even text": checkpoint(
        model(lambda folder: (folder / "config.json").write_bytes(b"\xff\xfe")), "config.json", "not UTF-8"
    ),
    "an unknown model type": checkpoint(configured(model_type="brt"), "config.json", "'brt'", "did you mean 'bert'?"),
    "a checkpoint without weights": checkpoint(without("model.safetensors"), "no weights", "model.safetensors"),
    "truncated weights": checkpoint(
        model(truncated("model.safetensors", lambda _: None)), "model.safetensors", "truncated", "fetch the file again"
    ),
    "weights cut inside their header": checkpoint(weights(b"\x40\0\0"), "model.safetensors", "truncated"),
    "a pickle named .safetensors": checkpoint(weights(pickle.dumps(Evil())), "a pickle named .safetensors"),
    "a header that lies about sizes": checkpoint(model(lying), "model.safetensors", "truncated"),
    "weights of fewer layers than the config": checkpoint(model(halved), "tensors are missing", "layer.1"),
    "weights of another width than the config": checkpoint(
        configured(intermediate_size=64), "in the weights", "by the config", "config.json"
    ),
    "a width that the heads cannot share": checkpoint(configured(num_attention_heads=5), "config.json"),
    "a tokenizer that does not fit the weights": checkpoint(
        model(lambda folder: (folder / "vocab.txt").write_text("\n".join([*PIECES, "##more"]))),
        f"the tokenizer knows {len(PIECES) + 1} pieces, the weights {len(PIECES)}",
    ),
    "a checkpoint without tokenizer": checkpoint(without("vocab.txt"), "tokenizer"),
    "a .bin that would run code": checkpoint(
        model(
            lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin").write_bytes(
                pickle.dumps(Evil())
            )
        ),
        "pytorch_model.bin", "not a valid weight file",
    ),
    "an unknown pooling": checkpoint(
        model(lambda folder: (folder / "1_Pooling" / "config.json").write_text('{"pooling_mode": "maen"}')), "pooling"
    ),
    # vectors of the user's own
    "a missing file of vectors": worth("--vectors mine.npy", "mine.npy: no such file of vectors"),
    "an encoder as a table": worth("--vectors minilm", "'minilm' is not a table of word vectors", "--models"),
    "vectors of fewer rows than the data": vectors("v.npy", array("v.npy", np.ones((9, 4))), "9 vectors", "60 rows"),
    "vectors that hold NaN": vectors("v.npy", array("v.npy", np.full((ROWS, 4), np.nan)), "NaN"),
    "vectors that are one number a row": vectors("v.npy", array("v.npy", np.ones(ROWS)), "v.npy"),
    "a truncated array": vectors("v.npy", truncated("v.npy", array("v.npy", np.ones((ROWS, 4)))), "v.npy"),
    "a pickled array": vectors("v.npy", array("v.npy", np.array([{}] * ROWS)), "v.npy"),
    "a parquet file without vectors": vectors("v.parquet", table("v.parquet", {"text": ["a"]}), "v.parquet"),
    "word vectors of two widths": vectors("v.txt", file("v.txt", "the 1 2 3\na 1 2\n"), "v.txt"),
    "a truncated word2vec file": vectors("v.bin", file("v.bin", b"2 4\nthe \0\0\0\0"), "v.bin"),
    "the same vectors twice": worth(
        "--vectors v.npy --vectors v.npy", "--vectors has v.npy twice", make=array("v.npy", np.ones((ROWS, 4)))
    ),
    # embed
    "texts to embed that are missing": Bad(words="embed b.csv --out v.npy", says=("b.csv", "no such file")),
    "no text column to embed": Bad(words="embed a.csv --text txet --out v.npy", says=("'txet'", "'text'")),
    "no place for the vectors": Bad(words="embed a.csv", says=("--out",)),
    "an unknown kind of vectors": Bad(words="embed a.csv --out v.xlsx", says=("v.xlsx",)),
    "an unknown number type": Bad(words="embed a.csv --out v.npy --dtype float31", says=("float31", "float32")),
    "embedding by an unknown model": Bad(words="embed a.csv --out v.npy --model minilmm", says=("'minilm'",)),
    "embedding by a spoilt model": Bad(
        words="embed a.csv --out v.npy --model model", says=("a pickle named .safetensors",),
        make=(file("a.csv"), weights(pickle.dumps(Evil()))),
    ),
    "embedding a ragged file": Bad(
        words="embed a.csv --out v.npy --model model", says=("line 62",), make=(file("a.csv", CSV + "a,b,c\n"), model())
    ),
    # doctor
    "a doctor without patient": Bad(words="doctor", says=("MODEL",)),
    "a doctor of nothing": Bad(words="doctor minilmm", says=("'minilmm'", "did you mean 'minilm'?")),
    "a doctor of a table": Bad(words="doctor glove", says=("'glove' is not an encoder",)),
    # report
    "a missing record": Bad(words="report r.json", says=("r.json", "cannot read")),
    "a record cut short": page(json.dumps(RECORD)[:-9], "r.json", "not a whole JSON file"),
    "a record of bytes": page(b"\xff\xfe\x00", "r.json", "not UTF-8"),
    "JSON that is no record": page('{"a": 1}', "r.json", "not a Wordworth record"),
    "a list that is no record": page("[]", "r.json", "not a Wordworth record"),
    "a record of the future": page(json.dumps({**RECORD, "version": 99}), "version 99", "pip install -U"),
    "a record whose version is no number": page(json.dumps({**RECORD, "version": "x"}), "r.json"),
    "a record without its parts": page(json.dumps(RECORD), "r.json", "damaged"),
    "a record without a verdict": page(json.dumps({**RECORD, "timings": {}, "environment": {}}), "r.json"),
    # places to write to
    "a file as the folder of results": Bad(words="worth a.csv --out a.csv", says=("a.csv", "is a file")),
    "a folder of results inside a file": Bad(
        words="worth a.csv --out a.csv/run", says=("a.csv", "not a folder", "choose another --out")
    ),
    "a folder as the page": Bad(
        words="report r.json --out .", says=("is a directory",), make=(file("r.json", json.dumps(RECORD)),)
    ),
    "vectors where a folder is": Bad(words="embed a.csv --out .", says=(".",)),
    "a page over its record": Bad(
        words="report r.json --out ./r.json", says=("overwrite the input",), make=(file("r.json", json.dumps(RECORD)),)
    ),
    "vectors over their texts": Bad(
        words="embed t.parquet --out t.parquet", says=("overwrite the input",),
        make=(table("t.parquet", {"text": ["a"]}),),
    ),
    "a table over its text": Bad(
        words="to-static model --corpus a.txt --out a.txt", says=("overwrite the input",),
        make=(file("a.txt", "a text"), model()),
    ),
    "a table over another model": Bad(
        words="to-static minilm --corpus a.txt --out model", says=("another model (bert)",),
        make=(file("a.txt", "a text"), model()),
    ),
    "a table in its model's folder": Bad(
        words="to-static model --method pieces --out model/table", says=("model/table", "inside the folder of the mod"),
        make=(model(),),
    ),
    "an export in its model's folder": Bad(
        words="export model --to model2vec --out model/table", says=("model/table", "inside the folder of the model"),
        make=(model(),),
    ),
    "sentence vectors in their model's folder": Bad(
        words="train-sentences p.csv --model model --out model/new", says=("model/new", "inside the folder of the mod"),
        make=(file("p.csv", "text_a,text_b\n" + "a film,the film\n" * 30), model()),
    ),
    "a student in its teacher's folder": Bad(
        words="train-sentences p.csv --loss mse --model minilm --teacher model --layers 1 --out model/new",
        says=("model/new", "lies inside the folder of the model"),
        make=(file("p.csv", "text_a,text_b\n" + "a film,the film\n" * 30), model()),
    ),
    "a study over another one's record": Bad(
        words="worth a.csv --out out",
        says=("out", "of kind 'context'", "another --out"),
        make=(file("a.csv"), recorded("context")),
    ),
    "a study over a record that is not ours": Bad(
        words="worth a.csv --out out", says=("record.json that is not",), make=(file("a.csv"), recorded("")),
    ),
    "a study in a model's folder": Bad(
        words="worth a.csv --out model", says=("holds a model",), make=(file("a.csv"), model())
    ),
}  # fmt: skip


@pytest.mark.parametrize("bad", CASES.values(), ids=CASES)
def test_a_mistake_is_one_clear_line_and_leaves_nothing_behind(tmp_path, monkeypatch, bad):
    one_clear_line_and_nothing_left(bad, tmp_path, monkeypatch)


def one_clear_line_and_nothing_left(bad: Bad, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What every mistake is held to."""
    for make in bad.make:
        make(folder)
    before = sorted(folder.rglob("*"))
    monkeypatch.chdir(folder)
    outcome = wordworth(*bad.words.split())
    assert outcome.code == 2
    assert outcome.err.startswith("wordworth: ")
    assert outcome.err.endswith("\n")
    assert len(outcome.err.splitlines()) == 1
    for part in bad.says:
        assert part in outcome.err
    assert outcome.out == ""
    assert sorted(folder.rglob("*")) == before


def test_there_are_at_least_sixty_ways_to_go_wrong():
    assert len(CASES) >= 60
