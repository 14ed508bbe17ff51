"""Odd settings are refused."""

from pathlib import Path

import pytest
from tests.tasks.datasets.data_folder import write

from wordworth.errors import BadInput
from wordworth.studies.evaluate import evaluate
from wordworth.studies.evaluate.settings import EvaluateSettings
from wordworth.tasks.datasets import find_dataset_spec, glue_names


def glue(folder: Path, without: str = "") -> Path:
    """Three examples of every task, all predicted rightly but the last of RTE."""
    rows = {
        "cola": "x\t1\t\ta\nx\t0\t*\tb\nx\t1\t\tc\n",
        "sst2_glue": "text,label\na,1\nb,0\nc,1\n",
        "mrpc": "text_a,text_b,label,glue_split\nt,t,1,train\na,b,1,dev\nb,c,0,dev\nc,d,1,dev\n",
        "stsb": "text_a,text_b,score\na,b,1.5\nb,c,0\nc,d,5\n",
        "qqp": "text_a,text_b,label\na,b,1\nb,c,0\nc,d,1\n",
        "qnli": "text_a,text_b,label\na,b,entailment\nb,c,not_entailment\nc,d,entailment\n",
        "rte": "text_a,text_b,label\na,b,entailment\nb,c,not_entailment\nc,d,entailment\n",
        "wnli": "text_a,text_b,label\na,b,1\nb,c,0\nc,d,1\n",
    }
    for name, text in rows.items():
        file = {"mrpc": "train.csv", "cola": "dev.tsv"}.get(name, "dev.csv")
        write(folder / "data" / name, {file: text})
    nli = "text_a,text_b,label\na,b,entailment\nb,c,neutral\nc,d,contradiction\n"
    write(folder / "data" / "mnli", {"dev_matched_sample.csv": nli, "dev_mismatched_sample.csv": nli})
    for name in glue_names():
        part = find_dataset_spec(name).parts(("dev",), folder / "data")["dev"]
        classes = find_dataset_spec(name).classes
        lines = [str(label) if not classes else classes[int(label)] for label in part.labels]
        if name == "rte":
            lines[-1] = "not_entailment"
        if name != without:
            write(folder / "said", {f"{'SST-2' if name == 'sst2' else name}.txt": "\n".join(lines)})
    return folder / "said"


def test_odd_settings_are_refused(tmp_path):
    said = glue(tmp_path)
    with pytest.raises(BadInput, match="`draws` 5 is out of range; give 100 or more"):
        evaluate("stsb", said / "stsb.txt", draws=5)
    with pytest.raises(BadInput, match="stsb has no questions without an answer"):
        evaluate("stsb", said / "stsb.txt", data=tmp_path / "data", na_probs=said / "stsb.txt")


def test_a_threshold_without_values_for_it_is_refused():
    with pytest.raises(BadInput, match="`na_threshold`: a threshold needs the probabilities"):
        EvaluateSettings(na_threshold=0.5)
