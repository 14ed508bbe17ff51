"""Minimal pairs: BLiMP in a folder or archive, the two agreement sets, and a table of your own."""

import json
import tarfile

import pytest

from wordworth.errors import BadInput
from wordworth.studies.commonsense.minimal_pair_sets import (
    archived_tables,
    pair_items,
    published_accuracies,
    with_third_column,
)
from wordworth.text.file_formats.read import read_table
from wordworth.text.read_compressed_file import RawFile

BLIMP = {"sentence_good": "A is.", "sentence_bad": "A are.", "UID": "p1", "linguistics_term": "s-selection"}


def items(text, suffix=".tsv"):
    raw = with_third_column(RawFile(f"p{suffix}", suffix, "0", text.encode()))
    return list(pair_items(read_table(raw, "csv" if suffix == ".tab" else None)))


def test_blimp_is_read_from_a_folder_or_an_archive(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "p1.jsonl").write_text(json.dumps(BLIMP) + "\n" + json.dumps({**BLIMP, "sentence_bad": "A be."}))
    with tarfile.open(tmp_path / "data.tar.xz", "w:xz") as archive:
        archive.add(folder, "data")
    for path in (folder, tmp_path / "data.tar.xz"):
        (table,) = archived_tables(path)
        first, _ = pair_items(table)
        assert (first.options, first.paradigm, first.phenomenon) == (("A is.", "A are."), "p1", "argument_structure")


def test_what_is_no_archive_or_has_no_pairs_is_refused(tmp_path):
    (tmp_path / "a.tar").write_text("no archive")
    for path in (tmp_path / "a.tar", tmp_path):
        with pytest.raises(BadInput):
            archived_tables(path)
    assert pair_items(read_table(RawFile("t.csv", ".csv", "0", b"text,label\na,b\n"))) is None


def test_marvin_and_linzens_templates_are_grouped():
    rows = ["template\tcondition\tgood\tbad\tthird", "subj_rel\tc\ta is\ta are", "simple_npi\tc\tno a\tany a\tthe a"]
    text = "\n".join(rows) + "\n"
    agreement, polarity = items(text)
    assert (agreement.options, agreement.phenomenon) == (("a is", "a are"), "subject-verb agreement")
    assert (polarity.paradigm, polarity.phenomenon) == ("simple_npi", "negative polarity items")


GULORDAVA = "pattern\tconstr_id\tsent_id\tform\tclass\ttype\tlen_prefix\tsent\n"


def test_gulordavas_rows_are_paired_by_their_forms():
    rows = [
        f"P\t1\t1\t{form}\t{side}\tgenerated\t2\tthe dogs x now <eos>"
        for form, side in (("are", "correct"), ("is", "wrong"))
    ]
    (pair,) = items(GULORDAVA + "\n".join(rows) + "\n", ".tab")
    assert pair.options == ("the dogs are now", "the dogs is now")
    assert (pair.paradigm, pair.phenomenon) == ("P", "generated sentences")


@pytest.mark.parametrize("place", ["9", "x", ""])
def test_a_place_outside_the_sentence_is_refused(place):
    with pytest.raises(BadInput, match="len_prefix"):
        items(f"{GULORDAVA}P\t1\t1\tare\tcorrect\toriginal\t{place}\tthe dogs\n", ".tab")


def test_a_table_of_ones_own_may_name_phenomena():
    (pair,) = items("good\tbad\tphenomenon\tparadigm\na is\ta are\tagreement\tsimple\n")
    assert (pair.phenomenon, pair.paradigm) == ("agreement", "simple")
    assert items("good\tbad\na is\ta are\n")[0].phenomenon == ""


def test_people_and_models_are_read_beside_the_pairs(tmp_path):
    assert published_accuracies(tmp_path) == {}
    (tmp_path / "human_validation_summary.csv").write_text(
        '"Condition","accepted","total_mean","count"\n"p1",5,0.94,9\n'
    )
    row = {"UID": "p1", "linguistics_term": "t", "ngram": 0.1, "lstm": 0.2, "txl": 0.3, "gpt2": 0.4}
    (tmp_path / "models_summary.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({**row, "UID": "overall"}))
    found = published_accuracies(tmp_path)
    assert found["p1"] == {"human": 0.94, "ngram": 0.1, "lstm": 0.2, "txl": 0.3, "gpt2": 0.4}
    assert found["t"]["gpt2"] == 0.4
    (tmp_path / "models_summary.jsonl").write_text("{}")
    with pytest.raises(BadInput, match="models_summary"):
        published_accuracies(tmp_path)
