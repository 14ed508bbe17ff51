"""The recipe of placeholders: names are replaced in the text alone, and F1 is of persons and of the other types."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.training.pretraining.conftest import NOUNS

import placeholders
from parts.names_replaced import PLACEHOLDER, f1_of_types, replaced_texts, texts_to_leave_out, write_names
from parts.scored import Scored
from wordworth.errors import BadInput
from wordworth.records import read
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.file_formats.conll import read_conll
from wordworth.text.read_compressed_file import read_raw
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain

SENTENCES = ["the/O king/B-PER fox/I-PER sees/O rome/B-LOC", "king/B-PER fox/B-PER", "rome/B-LOC"]
NOTHING = EvaluationTexts.of([])


def conll(path, sentences, *, mark=False):
    lines = "\n\n".join(each.replace("/", "\t").replace(" ", "\n") for each in sentences)
    path.write_text(("-DOCSTART-\tO\n\n" if mark else "") + lines + "\n")
    return path


def test_every_person_becomes_one_placeholder_and_nothing_else_does(tmp_path):
    path = conll(tmp_path / "a.conll", SENTENCES)
    assert replaced_texts(path, None, NOTHING) == ["the king fox sees rome", "king fox", "rome"]
    persons = [f"the {PLACEHOLDER} sees rome", f"{PLACEHOLDER} {PLACEHOLDER}", "rome"]
    assert replaced_texts(path, "PER", NOTHING) == persons
    marked = conll(tmp_path / "b.conll", SENTENCES, mark=True)
    assert replaced_texts(marked, None, NOTHING) == ["the king fox sees rome king fox rome"], "documents stay whole"


def test_sentences_that_share_a_run_of_words_with_the_tests_are_in_no_text(tmp_path):
    run = " ".join(f"w{number}/O" for number in range(13))
    train = conll(tmp_path / "a.conll", [*SENTENCES, f"fox/B-PER {run}", "w1/O w2/O fox/B-PER"], mark=True)
    test = conll(tmp_path / "b.conll", [f"{run} rome/B-LOC", "rome/B-LOC", "w1/O w2/O wolf/B-PER"])
    assert replaced_texts(train, None, texts_to_leave_out(test)) == ["the king fox sees rome king fox w1 w2 fox"]
    persons = f"the {PLACEHOLDER} sees rome {PLACEHOLDER} {PLACEHOLDER} w1 w2 {PLACEHOLDER}"
    assert replaced_texts(train, "PER", texts_to_leave_out(test)) == [persons], (
        "the same sentences, whatever is replaced"
    )
    with pytest.raises(BadInput, match="every sentence shares 13 words in a row"):
        replaced_texts(train, None, texts_to_leave_out(train))


@pytest.mark.parametrize("wanted", [True, False])
def test_names_of_one_kind_are_tagged_alone(tmp_path, wanted):
    made = tmp_path / "made.conll"
    write_names(conll(tmp_path / "a.conll", SENTENCES), "PER", made, wanted=wanted)
    table = read_conll(read_raw(made))
    assert [json.loads(cell) for cell in table.columns["words"]] == [
        [word.partition("/")[0] for word in each.split()] for each in SENTENCES
    ]
    tags = [json.loads(cell) for cell in table.columns["tags"]]
    kind = "PER" if wanted else "LOC"
    assert tags == [
        [tag if tag.endswith(kind) else "O" for _, _, tag in (word.partition("/") for word in each.split())]
        for each in SENTENCES
    ]


def test_a_file_without_persons_is_refused(tmp_path):
    path = conll(tmp_path / "a.conll", SENTENCES)
    with pytest.raises(BadInput, match="no entities of the type 'NAME' beside others; there is LOC, PER"):
        replaced_texts(path, "NAME", NOTHING)


def test_f1_is_that_of_the_kind_alone(tmp_path):
    train = conll(tmp_path / "a.conll", SENTENCES * 4)
    test = conll(tmp_path / "b.conll", [f"{each} now/O {row}/O" for row in range(4) for each in SENTENCES])
    task = read_task(train, ReadSettings(kind="tagging", test=test))
    gold, number = task.gold(task.test), {tag: index for index, tag in enumerate(task.classes)}
    wrong = tuple(np.where(tags == number["B-LOC"], number["O"], tags) for tags in gold)
    results = [SimpleNamespace(test=wrong, seed=0), SimpleNamespace(test=gold, seed=1)]
    persons, others = (f1_of_types(results, task, "PER", wanted=wanted) for wanted in (True, False))
    assert persons.point.tolist() == [1.0, 1.0]
    assert others.point.tolist() == [0.0, 1.0]
    assert persons.draws.shape == others.draws.shape


def test_the_headline_is_the_change_on_persons_beyond_that_on_other_types():
    def scored(value):
        return Scored(np.full(3, value), np.full((3, 1000), value))

    apart = {placeholders.PLAIN: scored(0.1), placeholders.NAMES: scored(0.1), placeholders.PLACEHOLDERS: scored(0.07)}
    finding = placeholders.answer({(placeholders.APART, "test sentences"): apart}, [])
    assert finding.numbers["apart"] == pytest.approx(-0.03)
    assert "by -3.0 points beyond other types (95 %: -3.0 to -3.0)" in finding.numbers["headline"]
    assert "headline" not in placeholders.answer({}, []).numbers


def test_every_arm_is_learned_asked_tuned_and_compared(corpus, tmp_path, monkeypatch, capsys):
    made = [f"the/O {NOUNS[n % 7]}/B-PER and/O {NOUNS[(n + 3) % 7]}/B-LOC" for n in range(40)]
    unseen = [f"the/O {each}" for each in made[:11]] + [made[0]]
    start, out = tmp_path / "start", tmp_path / "out"
    pretrain(PretrainingConfig(stores=(corpus,), out=start, model_size="1x16", steps=1, device="cpu"))
    arguments = {"--train": conll(tmp_path / "a.conll", made), "--test": conll(tmp_path / "b.conll", unseen)}
    arguments |= {"--model": start, "--out": out, "--steps": 2, "--seeds": 1, "--epochs": 1, "--max-length": 32}
    arguments |= {"--device": "cpu"}
    monkeypatch.setattr("sys.argv", ["placeholders.py", *(str(each) for pair in arguments.items() for each in pair)])
    placeholders.main()
    assert "differences between texts" in capsys.readouterr().out
    record = read(out / "placeholders.json")
    measures = {(row["measure"], row["on"]) for row in record.tables["scores"].rows()}
    assert len(measures) == 5
    assert (record.data["sentences"], record.data["left_out"]) == (40, made.count(made[0]))
    assert len(record.tables["scores"].rows()) == 15
    assert record.verdict.startswith("Placeholders in place of names change F1 on persons by ")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"--person": "NAME"}, "no entities of the type 'NAME' beside others"),
        ({"--limit": 1}, "1 row"),
        ({"--asked": 0}, "`asked` is 0"),
        ({"--model": "minilm"}, "this model has no language model head"),
        ({"--test": "a.conll"}, "all of its 40 texts are in the training part too"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_leaves_nothing(tmp_path, monkeypatch, changes, message):
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        conll(
            Path(f"{name}.conll"), [f"the/O {NOUNS[n % 7]}{name}/B-PER and/O {NOUNS[n % 5]}/B-LOC" for n in range(40)]
        )
    options = {"--train": "a.conll", "--test": "b.conll", "--model": "mini", "--out": "out"} | changes
    monkeypatch.setattr("sys.argv", ["placeholders.py", *(str(each) for pair in options.items() for each in pair)])
    with pytest.raises(BadInput) as error:
        placeholders.main()
    assert message in str(error.value)
    assert not Path("out").exists()
