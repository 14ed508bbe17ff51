"""The domain study: what is learned and what is held out, bits per character, and how an answer comes about."""

import json
import math

import numpy as np
import pytest
import torch
from tests.training.objectives.test_mlm import as_batch
from tests.training.pretraining.conftest import NOUNS, documents

import domain
from parts.domain_answer import BITS, PLAIN, answer, answer_rows, gain_rows, verdict
from parts.domain_stores import StoreSizes, divide, read_sizes, sizes_file
from parts.held_out_bits import Answers, ask, bits_per_character
from parts.scored import DRAWS, Scored
from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.models.language_model import language_model
from wordworth.records import read
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.corpus.pretraining_sequences import InstanceStream
from wordworth.text.corpus.samplers.packed_sequences import PackedTexts
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain

TEXTS = [f"text number {number} says {' '.join(str(number * place) for place in range(20))}" for number in range(300)]
NONE = EvaluationTexts.of([])
DOMAIN, CONTROL, F1 = "biomedical", "patents", "entity F1"


def test_a_tenth_of_the_documents_is_held_out_in_any_order():
    found = divide(TEXTS, NONE, 10**9)
    assert 15 <= len(found.held_out) <= 45
    assert sorted(found.learned + found.held_out) == sorted(TEXTS)
    assert divide(TEXTS[::-1], NONE, 10**9) == found


def test_what_is_learned_is_cut_at_so_many_characters_and_the_rest_stays():
    whole, cut = divide(TEXTS, NONE, 10**9), divide(TEXTS, NONE, 3000)
    assert cut.held_out == whole.held_out
    assert cut.learned == whole.learned[: len(cut.learned)]
    assert 3000 <= sum(map(len, cut.learned)) < 3000 + max(map(len, TEXTS))


def test_a_document_with_thirteen_words_of_a_test_in_a_row_is_in_neither_part():
    words = ["one", "two", *(f"w{number}" for number in range(11))]
    test = EvaluationTexts.of(["before " + " ".join(words) + " after"])
    near, same = " ".join(words[:-1]) + " fourteen", "Well: One, two " + " ".join(words[2:]) + "!"
    found = divide([near, same], test, 10**9)
    assert (found.learned + found.held_out, found.shared) == ([near], 1)


def test_nothing_is_learned_of_general_text():
    assert divide(TEXTS, NONE, 10**9, all_held_out=True).learned == []


def test_bits_per_character_are_the_mean_loss_in_bits_times_pieces_per_character():
    told = StoreSizes(documents=3, characters=400, tokens=100, shared=0)
    one = Answers(np.array([8.0, 0.0, 4.0]) * math.log(2), np.array([2.0, 0.0, 1.0]))
    found = bits_per_character([one, one], told, "any")
    assert found.point == pytest.approx([1.0, 1.0])  # 4 bits a piece, 4 characters a piece
    assert found.interval.low == pytest.approx(1.0)
    assert found.draws.shape == (2, DRAWS)


@pytest.fixture(scope="module")
def model(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("model")
    pretrain(PretrainingConfig(stores=(corpus,), out=out, model_size="2x32", steps=2, device="cpu"))
    return out


def test_documents_together_cost_what_the_held_out_loss_of_the_same_questions_is(model, corpus, tmp_path):
    ask(model, corpus, tmp_path / "answers.npz", "cpu", 40)
    found, text, asked = Answers.read(tmp_path / "answers.npz"), TokenStore.open(corpus), language_model(model)
    objective = MaskedLanguageModel(vocabulary=text.vocabulary, rates=Rates(share=0.15, mask=1.0, random=0.0))
    read = InstanceStream(PackedTexts(store=text, length=128), batch_size=40).batch(0)
    instances, targets = objective.prepare(read, seeds.child(0, "masks"))
    batch = as_batch(instances)
    with torch.no_grad():
        usual = objective.loss(asked.head, ModelOutput(asked.encoder, batch, asked.encoder(batch)), targets)
    assert len(found.nats) == text.counts["documents"] == len(set(documents(0, 60)))
    assert found.pieces.sum() == usual.count
    assert found.nats.sum() / found.pieces.sum() == pytest.approx(usual.sum.item() / usual.count, rel=1e-5)


def scored(mean, spread=0.0):
    return Scored(mean + spread * np.array([-1.0, 0.0, 1.0]), np.full((3, DRAWS), mean))


def gains_of(measure, on, part, plain, domain, control):
    return gain_rows({(measure, on, part): {PLAIN: plain, DOMAIN: domain, CONTROL: control}})


def test_fewer_bits_are_a_gain_and_more_f1_is_one():
    bits = gains_of(BITS, DOMAIN, "held-out", scored(1.2), scored(1.0), scored(1.3))
    f1 = gains_of(F1, "bc5cdr", "test", scored(0.6), scored(0.7), scored(0.5))
    for rows in (bits, f1):
        by = {(row["model"], row["over"]): row["gain"] for row in rows}
        assert by[DOMAIN, PLAIN] > 0
        assert by[DOMAIN, CONTROL] > by[DOMAIN, PLAIN]
        assert by[CONTROL, PLAIN] < 0


def test_the_domain_helps_only_where_it_beats_the_control_too():
    assert answer(F1, [(0.01, 0.03), (0.02, 0.04)]) == "yes"
    assert answer(F1, [(0.01, 0.03), (-0.02, 0.004)]) == "no"
    assert answer(F1, [(0.01, 0.03), (-0.02, 0.04)]) == "cannot tell"
    assert answer(BITS, [(-0.5, -0.2), (0.1, 0.2)]) == "no"


def test_a_sure_gain_that_is_next_to_nothing_does_not_help():
    assert answer(F1, [(0.001, 0.002), (0.01, 0.03)]) == "no"


def test_a_spread_over_seeds_that_hides_the_gain_cannot_tell():
    sure = gains_of(F1, "bc5cdr", "test", scored(0.6), scored(0.7), scored(0.6))
    wide = gains_of(F1, "bc5cdr", "test", scored(0.6), scored(0.7, spread=0.3), scored(0.6))
    assert [row["answer"] for row in answer_rows(sure, DOMAIN)] == ["yes"]
    assert [row["answer"] for row in answer_rows(wide, DOMAIN)] == ["cannot tell"]


def test_answers_are_given_for_the_domains_text_and_the_test_parts_alone():
    three = (scored(0.6), scored(0.7), scored(0.6))
    gains = [
        *gains_of(BITS, DOMAIN, "held-out", *three),
        *gains_of(BITS, "general", "held-out", *three),
        *gains_of(F1, "bc5cdr", "dev", *three),
        *gains_of(F1, "bc5cdr", "test", *three),
    ]
    answers = answer_rows(gains, DOMAIN)
    assert {(row["measure"], row["on"]) for row in answers} == {(BITS, DOMAIN), (F1, "bc5cdr")}
    text = verdict(answers, gains).text
    assert "Yes: entity F1 on bc5cdr; no: bits per character on biomedical" in text
    assert "biomedical text costs +0.100 bits a character on general text" in text


def test_sizes_of_stores_without_a_field_are_refused(tmp_path):
    sizes_file(tmp_path).write_text('{"biomedical": {"documents": 3, "characters": 90, "shared": 0}}')
    with pytest.raises(BadInput, match="no field 'tokens' in biomedical"):
        read_sizes(tmp_path)


def test_nothing_is_said_before_a_seed_is_whole():
    assert "yet" in verdict([], []).text


SENTENCE = "the king and the queen see the dog and the cat and the fox"


def corpus_of(path, topic, number=200):
    """A file of so many documents on a topic, one a line."""
    texts = [f"The {topic} of {row} sees {NOUNS[row % 7]} {row * 7} and {NOUNS[row % 5]}." for row in range(number)]
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


def labelled(path, number, offset, label="ab"):
    rows = [f"{SENTENCE} number {offset} {row},{label[row % len(label)]}\n" for row in range(number)]
    path.write_text("text,label\n" + "".join(rows))
    return path


@pytest.fixture(scope="module")
def start(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("start")
    pretrain(PretrainingConfig(stores=(corpus,), out=out, model_size="1x16", steps=1, device="cpu"))
    return out


@pytest.fixture
def own(tmp_path, start):
    """Option -> value, of a recipe on corpora and a task of the user's own."""
    novels = tmp_path / "novels"
    novels.mkdir()
    for row in range(120):
        (novels / f"{row}.txt").write_text(f"Chapter {row}. The boy of {row * 3} sees {NOUNS[row % 7]} and is gone.\n")
    files = {"--domain": corpus_of(tmp_path / "notes.jsonl", "cat"), "--control": novels}
    files["--general"] = corpus_of(tmp_path / "news.jsonl", "dog", 12)
    files |= {"--train": labelled(tmp_path / "train.csv", 40, 0), "--test": labelled(tmp_path / "test.csv", 20, 100)}
    small = {"--steps": 2, "--seeds": 1, "--epochs": 1, "--max-length": 32, "--device": "cpu"}
    return {"": start, **files, "--out": tmp_path / "out", **small}


@pytest.fixture
def run(monkeypatch):
    def with_options(options):
        words = [str(word) for pair in options.items() for word in pair if str(word)]
        monkeypatch.setattr("sys.argv", ["domain.py", *words])
        domain.main()

    return with_options


def test_own_corpora_and_an_own_task_are_learned_asked_tuned_and_compared(own, run, capsys):
    shared = json.dumps({"text": f"A note that says: {SENTENCE} number 100 3, and more."})
    own["--domain"].write_text(own["--domain"].read_text() + shared + "\n")
    run(own)
    assert capsys.readouterr().out.startswith("Does pretraining on the domain help?")
    record = read(own["--out"] / "domain.json")
    assert record.data["tasks"] == ["test"]
    assert [source["rows"] for source in record.data["sources"]] == [40, 20]
    assert record.data["stores"]["notes/learned"]["shared"] == 1, "a document that holds a test text is not read"
    assert set(record.data["stores"]) == {
        *(f"{name}/{part}" for name in ("notes", "novels") for part in ("learned", "held-out")),
        "general/held-out",
    }
    notes, novels = (record.data["stores"][f"{name}/learned"]["characters"] for name in ("notes", "novels"))
    assert abs(notes - novels) < 100, "the domain has no more text than its control"
    scores = record.tables["scores"].rows()
    measured = [(BITS, "notes"), (BITS, "novels"), (BITS, "general"), ("accuracy", "test")]
    assert [(row["measure"], row["on"], row["model"]) for row in scores] == [
        (*what, model) for what in measured for model in (PLAIN, "notes", "novels")
    ]
    assert {(row["measure"], row["on"]) for row in record.tables["answers"].rows()} == {measured[0], measured[3]}
    later = {key: own[key] for key in own if key not in {"--domain", "--control", "--general"}}
    run({**later, "--stage": "report"})
    assert read(own["--out"] / "domain.json").tables == record.tables, "later calls do without the corpora"
    with pytest.raises(BadInput, match="leave out the texts of another test"):
        run({**later, "--test": labelled(own["--test"].with_name("other.csv"), 20, 500)})
    with pytest.raises(BadInput, match="made with another characters"):
        run({**own, "--characters": 500})


def test_tagged_words_are_an_own_task_too_and_general_text_may_be_left_out(own, run, tmp_path):
    for part in ("train", "test"):
        sentences = [f"the\tO\n{noun}\tB-ANIMAL\nsees\tO\nn{row}{part}\tO\n" for row in range(12) for noun in NOUNS[:2]]
        own[f"--{part}"] = tmp_path / f"{part}.conll"
        own[f"--{part}"].write_text("\n".join(sentences))
    del own["--general"]
    run(own)
    record = read(own["--out"] / "domain.json")
    assert {row["measure"] for row in record.tables["scores"].rows()} == {BITS, "entity F1"}
    assert {row["on"] for row in record.tables["scores"].rows()} == {"notes", "novels", "test"}
    assert not record.verdict.endswith(" ")


def changed(own, **files):
    return {**own, **{f"--{name}": value for name, value in files.items()}}


def test_bad_corpora_and_tasks_are_one_clear_error_before_anything_is_written(own, run, tmp_path):
    tests = tmp_path / "tested.jsonl"
    tests.write_text("".join(json.dumps({"text": f"{SENTENCE} number 100 {row}"}) + "\n" for row in range(20)))
    copy = tmp_path / "copy.jsonl"
    copy.write_text(own["--domain"].read_text())
    other = tmp_path / "other"
    other.mkdir()
    cases = {
        "there is no such file": changed(own, control=tmp_path / "none.jsonl"),
        "every document shares 13 words in a row": changed(own, domain=tests),
        "too few documents to learn from": changed(own, domain=corpus_of(tmp_path / "few.jsonl", "cat", 99)),
        "`steps` is 0": changed(own, steps=0),
        "this model has no language model head": {"": "minilm", **{key: own[key] for key in own if key}},
        "is a table of word vectors": {"": "wordllama", **{key: own[key] for key in own if key}},
        "the same as another one": changed(own, control=copy),
        "another corpus or model is called 'notes'": changed(own, control=corpus_of(other / "notes.jsonl", "dog")),
        "`domain` and `control` go together": {key: own[key] for key in own if key != "--control"},
        "`train` without `test`": {key: own[key] for key in own if key != "--test"},
        "there are no stores of corpora here yet": {
            key: own[key] for key in own if key not in {"--domain", "--control", "--general"}
        },
        "column 'body' not found": changed(own, text="body"),
        "'c'": changed(own, test=labelled(tmp_path / "new.csv", 20, 100, "abc")),
    }
    for message, options in cases.items():
        with pytest.raises(BadInput) as error:
            run(options)
        assert message in str(error.value), message
        assert not own["--out"].exists(), message
