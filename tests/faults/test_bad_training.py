"""Mistakes in pretraining, adapting, fine-tuning and predicting: one clear line, exit code 2, nothing left behind."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from tests.faults.test_bad_input import (
    Bad,
    Evil,
    Make,
    configured,
    file,
    model,
    one_clear_line_and_nothing_left,
    weights,
    without,
)
from tests.models.tiny import PIECES

SOME = file("a.txt", "some text here\n")
QUESTIONS = [{"id": f"q{n}", "question": "what was it?", "context": f"it was film {n}"} for n in range(40)]

ASKS = "--data q.json --kind question_answering"


def rows(name: str, *some: object, times: int = 40) -> Make:
    return file(name, "".join(json.dumps(row) + "\n" for row in some * times))


def squad(start: int) -> Make:
    """Every answer at this place of its context; the right one is 7."""
    answers = [{"text": "film", "answer_start": start}]
    asked = [{"context": one["context"], "qas": [{**one, "answers": answers}]} for one in QUESTIONS]
    return file("q.json", json.dumps({"data": [{"paragraphs": asked}]}))


def vocabulary(folder: Path) -> None:
    (folder / "tok").mkdir()
    (folder / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")


def folder(place: Path) -> None:
    (place / "some").mkdir()


def text_and(other: Make) -> Make:
    """The text of `SOME`, and another file."""

    def both(folder: Path) -> None:
        SOME(folder)
        other(folder)

    return both


def finetune(options: str, *says: str, make: tuple[Make, ...] = (file("a.csv"), model())) -> Bad:
    given = f"{options} --out out --processes 1" + ("" if "--model" in options else " --model model")
    return Bad(words=f"finetune {given}", says=says, make=make)


def taught(content: Make, *says: str, options: str = "--data d.jsonl") -> Bad:
    return finetune(options, *says, make=(content, model()))


def pretrain(options: str, *says: str, make: Make = SOME) -> Bad:
    return Bad(words=f"pretrain {options} --out out", says=says, make=(make, vocabulary))


def adapt(options: str, *says: str, make: Make | None = None, also: Make | None = None) -> Bad:
    given = f"{options} --out out" if "--corpus" in options else f"{options} --corpus a.txt --out out"
    return Bad(words=f"adapt {given}", says=says, make=(make or model(), also or SOME))


TEXT = "a.txt --tokenizer tok --steps 2"

CASES = {
    # fine-tuning: what is learned from
    "neither task nor data": finetune("", "nothing to learn from; give a named task, or --data"),
    "task and data": finetune("cola --data a.csv", "both the task 'cola' and --data with a file were given"),
    "a misspelt task": finetune("colla", "no named task 'colla'", "did you mean 'cola'?"),
    "a task that is not here": finetune("cola --folder .", "cola"),
    "another task's part with data": finetune("--data a.csv --learn-from cola", "--learn-from goes with a named task"),
    "missing data": finetune("--data b.csv", "b.csv", "no such file"),
    "a missing column": finetune("--data a.csv --label lable", "'lable'", "did you mean 'label'?"),
    "one class": taught(rows("d.jsonl", {"text": "a", "label": "x"}, {"text": "b", "label": "x"}), "nothing to learn"),
    "too few rows": taught(rows("d.jsonl", {"text": "a", "label": "x"}, times=3), "3 rows are too few"),
    "tags outside the scheme": taught(
        rows("d.jsonl", {"words": ["a", "b"], "tags": ["O", "B-x"]}, {"words": ["b"], "tags": ["Q-x"]}),
        "line 2",
        "'Q-x'",
        "neither O nor B-",
        options="--data d.jsonl --kind tagging",
    ),
    "fewer tags than words": taught(
        rows("d.jsonl", {"words": ["b"], "tags": ["O"]}, {"words": ["a", "b"], "tags": ["B-x"]}),
        "line 2",
        "2 words but 1 tags",
        options="--data d.jsonl --kind tagging",
    ),
    "a metric of another kind": finetune(
        "--data a.csv --metric spearman", "does not measure a task of kind classification"
    ),
    "answers that are not at their offsets": taught(
        squad(6),
        "q.json",
        "40 of 40 answers do not stand at the answer_start",
        options=ASKS,
    ),
    "answers without their questions": taught(
        file("q.json", '{"data": [{"paragraphs": [{}]}]}'),
        "not a SQuAD file",
        options=ASKS,
    ),
    "a question with one option": taught(
        rows("d.jsonl", {"context": "a", "options": ["b"], "label": 0}),
        "line 1",
        "does not hold a list of two options or more",
        options="--data d.jsonl --kind multiple_choice",
    ),
    "an option that is not there": taught(
        rows("d.jsonl", {"context": "a", "options": ["b", "c"], "label": 2}),
        "line 1",
        "not one of 0 to 1",
        options="--data d.jsonl --kind multiple_choice",
    ),
    # fine-tuning: how
    "no restarts": finetune("--data a.csv --restarts 0", "--restarts 0", "out of range"),
    "no epochs": finetune("--data a.csv --epochs 0", "--epochs 0", "out of range"),
    "a rate of 2": finetune("--data a.csv --learning-rate 2", "--learning-rate 2", "out of range", "less than 1"),
    "longer than the encoder reads": finetune(
        "--data a.csv --max-length 99999", "--max-length", "tokens at once, not 99,999"
    ),
    "sequences of two tokens": finetune("--data a.csv --max-length 2", "--max-length 2", "out of range"),
    "most of it to choose on": finetune("--data a.csv --dev 0.9", "--dev 0.9", "out of range"),
    "a grid without a dev part": finetune("--data a.csv --grid paper --dev 0", "grid search needs a dev part"),
    "a misspelt recipe": finetune("--data a.csv --recipe papr", "'papr'", "paper"),
    "a misspelt pooling": finetune("--data a.csv --pooling maen", "no pooling 'maen'", "did you mean 'mean'?"),
    "features of texts": finetune("--data a.csv --features last", "is not a tagging task"),
    "an unknown encoder": finetune("--data a.csv --model minilmm", "'minilmm'", "did you mean 'minilm'?"),
    "a table as what learns": finetune("--data a.csv --model glove", "a table of vectors"),
    "a spoilt encoder": finetune(
        "--data a.csv", "a pickle named .safetensors", make=(file("a.csv"), weights(pickle.dumps(Evil())))
    ),
    "epochs that are no number": finetune("--data a.csv --epochs nan", "--epochs nan", "out of range"),
    "no such device": finetune("--data a.csv --device cuda:99", "no device"),
    "a device that nothing here is made for": finetune("--data a.csv --device mps", "mps", "auto, cpu or cuda"),
    "a file as the folder of runs": Bad(
        words="finetune --data a.csv --model model --out a.csv", says=("a.csv",), make=(file("a.csv"), model())
    ),
    # predicting
    "no run to answer with": Bad(
        words="predict run a.csv --out b.csv", says=("run", "not the folder of a fine-tuned model")
    ),
    "an encoder that was never taught": Bad(
        words="predict model a.csv --out b.csv",
        says=("model", "not the folder of a fine-tuned model"),
        make=(file("a.csv"), model()),
    ),
    # pretraining
    "no corpus": pretrain("", "CORPORA"),
    "a corpus that is not there": pretrain("b.txt --tokenizer tok --steps 2", "b.txt", "no such file or folder"),
    "an empty corpus": pretrain(TEXT, "no text in this corpus", "a.txt", make=file("a.txt", " \n\n ")),
    "a folder without text": pretrain("some --tokenizer tok --steps 2", "some", "no file in this folder", make=folder),
    "a corpus of another column": pretrain(
        "d.jsonl --tokenizer tok --steps 2", "d.jsonl", "'text'", "'note'", make=rows("d.jsonl", {"note": "a text"})
    ),
    "a corpus with a broken line": pretrain(
        "d.jsonl --tokenizer tok --steps 2",
        "d.jsonl, line 2",
        "not JSON",
        make=file("d.jsonl", '{"text": "a"}\n{"te\n'),
    ),
    "a corpus that is not UTF-8": pretrain(TEXT, "a.txt", "UTF-8", make=file("a.txt", "这部电影".encode("gbk"))),
    "no tokenizer": pretrain("a.txt --steps 2", "a.txt", "--tokenizer"),
    "a corpus that is held out too": pretrain(f"{TEXT} --held-out ./a.txt", "a.txt", "given twice"),
    "a tokenizer that is not there": pretrain("a.txt --tokenizer nowhere --steps 2", "nowhere"),
    "held-out text that is not there": pretrain(f"{TEXT} --held-out b.txt", "b.txt", "no such file"),
    "no length": pretrain("a.txt --tokenizer tok", "give one of steps, epochs and budget"),
    "two lengths": pretrain(f"{TEXT} --epochs 1", "give one of steps, epochs and budget"),
    "a length of nothing": pretrain("a.txt --tokenizer tok --epochs 0", "epochs is 0"),
    "a budget that is no time": pretrain("a.txt --tokenizer tok --budget soon", "--budget: 'soon' is not a duration"),
    "a misspelt shape": pretrain(f"{TEXT} --model-size minni", "did you mean 'mini'?"),
    "a misspelt ingredient": pretrain(f"{TEXT} --override dropuot=0.1", "did you mean 'dropout'?"),
    "an ingredient of no value": pretrain(f"{TEXT} --override dropout=much", "dropout"),
    "positions that cannot start at neighbours": pretrain(
        f"{TEXT} --override positions=rotary", "add init_neighbour_heads=no"
    ),
    "more than all is masked": pretrain(
        f"{TEXT} --override mask_replace_prob=0.9 --override random_replace_prob=0.9", "add up to more than 1"
    ),
    "a device that is none, before the corpus is read": pretrain(f"{TEXT} --device tpu", "no device 'tpu'"),
    "a budget without a unit": pretrain("a.txt --tokenizer tok --budget 30", "'30' is not a duration", "30m"),
    "an ingredient without a value": pretrain(f"{TEXT} --override norm", "write norm=VALUE"),
    "one length of two": pretrain(f"{TEXT} --override lengths=128", "two whole numbers"),
    "parts of a model for one process": pretrain(f"{TEXT} --sharded", "--sharded", "torchrun"),
    "clipping uphill": pretrain(f"{TEXT} --override max_grad_norm=-1", "max_grad_norm=-1 is out of range", "0 or more"),
    "dropout of all": pretrain(f"{TEXT} --override dropout=1", "dropout=1 is out of range", "less than 1"),
    "a rate downwards": pretrain(
        f"{TEXT} --override learning_rate=-1e-3", "learning_rate=-0.001 is out of range", "more than 0"
    ),
    "epochs without end": pretrain("a.txt --tokenizer tok --epochs inf", "epochs is inf"),
    "a mask for a model that reads to the right": pretrain(
        f"{TEXT} --architecture gpt --override mlm_probability=0.3",
        "mlm_probability has no effect for architecture gpt",
    ),
    "a unit and a lexicon": pretrain(
        f"{TEXT} --lexicon a.txt --override masking_unit=span", "--override masking_unit", "phrases"
    ),
    "nothing at once": pretrain(f"{TEXT} --micro-batch-tokens 0", "--micro-batch-tokens 0", "out of range"),
    "no looks": pretrain(f"{TEXT} --evals 0", "--evals 0", "out of range", "1 or more"),
    "a milestone after the end": pretrain(f"{TEXT} --milestone 2", "milestone"),
    "dialogues of one turn": pretrain(
        "d.jsonl --tokenizer tok --steps 2 --override sequences=dialogues",
        "d.jsonl",
        "of 40 dialogues none has two turns or more",
        make=rows("d.jsonl", {"turns": ["A: a film"]}),
    ),
    "texts as dialogues": pretrain(
        "d.jsonl --tokenizer tok --steps 2 --override sequences=dialogues",
        "d.jsonl, line 1",
        "no turns",
        make=rows("d.jsonl", {"text": "a film"}),
    ),
    "a lexicon that is not there": pretrain(f"{TEXT} --lexicon b.txt", "b.txt", "no such lexicon"),
    "an empty lexicon": pretrain(
        f"{TEXT} --lexicon c.txt", "c.txt", "this lexicon is empty", make=text_and(file("c.txt", "\n"))
    ),
    "tags without a span": pretrain(
        f"{TEXT} --lexicon c.conll", "c.conll", "mark no span", make=text_and(file("c.conll", "the\tO\nfilm\tO\n"))
    ),
    "masks for a model without": pretrain(f"{TEXT} --lexicon a.txt --architecture gpt", "masks nothing"),
    "a file as the model's folder": Bad(
        words=f"pretrain {TEXT} --out a.txt", says=("a.txt", "not a folder"), make=(file("a.txt", "text"), vocabulary)
    ),
    # a vocabulary
    "a vocabulary larger than its corpus": Bad(
        words="tokenizer a.txt --size 9000 --out t",
        says=("this corpus supports", "--size"),
        make=(file("a.txt", "some text"),),
    ),
    "a vocabulary of nothing": Bad(words="tokenizer a.txt --out t", says=("no text",), make=(file("a.txt", "\n"),)),
    # adapting
    "a model that is not there": adapt("minii --steps 2", "'minii'", "did you mean 'mini'?"),
    "a table to go on with": adapt("glove --steps 2", "glove"),
    "text to add pieces of that is none": adapt(
        "model --steps 2 --vocabulary extend --corpus e.txt", "no text in this corpus", also=file("e.txt", "\n")
    ),
    "text to go on with that is not there": adapt("model --corpus b.txt --steps 2", "b.txt", "no such file"),
    "held-out text that is not there, and another vocabulary": adapt(
        "model --steps 2 --vocabulary replace --tokenizer model --held-out b.txt", "b.txt", "no such file"
    ),
    "another network than there is": adapt(
        "model --steps 2 --override norm=pre", "norm=pre", "cannot be changed for an existing model", "dropout"
    ),
    "a replacement by nothing": adapt("model --steps 2 --vocabulary replace", "needs a tokenizer"),
    "no length to go on": adapt("model --vocabulary extend", "give one of steps, epochs and budget"),
    "a damaged model to go on with": adapt("model --steps 2", "pickle", make=weights(pickle.dumps(Evil()))),
    "a model to go on with of another shape": adapt(
        "model --steps 2", "by the config", make=configured(intermediate_size=64)
    ),
    "a model to go on with without its tokenizer": adapt("model --steps 2", "tokenizer", make=without("vocab.txt")),
}


@pytest.mark.parametrize("bad", CASES.values(), ids=CASES)
def test_a_mistake_in_training_is_one_clear_line_and_leaves_nothing_behind(tmp_path, monkeypatch, bad):
    one_clear_line_and_nothing_left(bad, tmp_path, monkeypatch)
