"""The recipe of Synthea's patients: which events become codes, ATC down to level 4, and files that the study reads."""

import lzma
import sys

import pytest

import synthea
from wordworth.text.medical_code_ontology import read_ontology
from wordworth.text.patient_visits import read_visits

ATC = "code\tlevel\tparent\tname\n" + "".join(
    f"{code}\t{level}\t{parent}\t-\n"
    for level, (code, parent) in enumerate(
        [("C", ""), ("C09", "C"), ("C09A", "C09"), ("C09AA", "C09A"), ("C09AA03", "C09AA")], start=1
    )
)
NAMES = "kind\tcode\tname\tatc\nmedication\t314076\tlisinopril\tC09AA03\nmedication\t99\tsomething\t\n"
EVENTS = (
    "patient\tdate\tkind\tcode\n"
    "p1\t2020-01-01\tcondition\t59621000\n"
    "p1\t2020-01-01\tmedication\t314076\n"
    "p1\t2020-01-01\tmedication\t99\n"
    "p1\t2020-01-01\tprocedure\t1\n"
)


@pytest.fixture
def data(tmp_path):
    (tmp_path / "synthea").mkdir()
    (tmp_path / "atc.tsv.xz").write_bytes(lzma.compress(ATC.encode()))
    (tmp_path / "synthea" / "events.tsv.xz").write_bytes(lzma.compress(EVENTS.encode()))
    (tmp_path / "synthea" / "names.tsv").write_text(NAMES)
    return tmp_path


def test_what_it_writes_is_what_the_study_reads(data, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["synthea.py", "--data", str(data), "--out", str(tmp_path / "out")])
    synthea.main()
    visits = read_visits(tmp_path / "out" / "visits.csv", "condition", "medication")
    assert (visits.inputs.codes, visits.targets.codes) == (("59621000",), ("C09AA",))
    assert visits.filters[0].rows == 2  # neither a medication without a code of ATC, nor a procedure
    ontology = read_ontology(tmp_path / "out" / "atc.csv")
    assert ontology.ancestors("C09AA") == ("C09A", "C09", "C")
    assert "C09AA03" not in ontology.parents
