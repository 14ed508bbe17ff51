"""On a GPU everything gives what it gives on a processor: vectors, pretraining, fine-tuning, answers."""

import base64
import dataclasses
import json

import numpy as np
import pytest
import torch
from tests.faults.test_pretrain_kills import kill_after, start
from tests.inference.tuned_model import write_rows
from tests.models.language_models import CONFIGS, a_language_model, made_up
from tests.models.tiny import PIECES, write_tiny
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import BRIEF
from tests.training.pretraining.conftest import store
from tests.training.pretraining.small_run import CHANGES, Killing, curve, settings

import wordworth as ww
from wordworth.inference.fill_mask import fill
from wordworth.inference.predict import load_run, predict
from wordworth.inference.pseudo_likelihood import log_likelihoods
from wordworth.models.activation_taps import Taps
from wordworth.models.attention import attend, attend_reference
from wordworth.models.cpu_inference.encoder import TOLERANCE
from wordworth.models.dropout import Dropout
from wordworth.models.length_buckets import PackedLayout
from wordworth.models.load import load
from wordworth.models.pooling import Dense, SentenceHead
from wordworth.serving.served_model import Served
from wordworth.serving.settings import ServeSettings
from wordworth.studies.finetune import finetune
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.task_heads import head_of
from wordworth.training.task_heads.base import InputReader

GPU = "cuda"
KINDS = ("single", "pair", "regression", "multilabel", "choice", "tags", "span")
TEXTS = ["The bank by the river.", "no", "", "She said that it was late, and we left. " * 9, "the bank " * 700]
pytestmark = [
    pytest.mark.skipif(GPU == "cuda" and not torch.cuda.is_available(), reason="there is no GPU on this machine"),
    pytest.mark.filterwarnings("ignore"),  # torch's compiler and its kernels warn of themselves
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return store(tmp_path_factory.mktemp("corpus") / "learned", 0, 60)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return str(write_tiny_encoder(tmp_path_factory.mktemp("gpu") / "tiny"))


def farthest(found, exact):
    return float(np.abs(found - exact).max() / np.abs(exact).max())


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "auto"])
def test_vectors_of_texts(dtype):
    exact = load("mini").encode(TEXTS, long_texts="window")
    encoder = load("mini", device=GPU, dtype=dtype)
    found = encoder.encode(TEXTS, long_texts="window")
    assert found.dtype == np.float32
    assert encoder.dtype == ("float32" if dtype == "float32" else "bfloat16")
    cosines = (found * exact).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(exact, axis=1)
    if dtype == "float32":
        assert farthest(found, exact) < TOLERANCE["float32"]
    assert 1 - cosines.mean() < TOLERANCE["bfloat16"]


def test_states_of_words_and_weights_of_attention():
    here, there = load("mini"), load("mini", device=GPU)
    states = [each.word_states([text.split() for text in TEXTS], layers="all").values for each in (here, there)]
    assert farthest(states[1], states[0]) < 1e-4
    taps = Taps(read=("layers.0.attention.probabilities",))
    of_both = [next(iter(each.activations(TEXTS[:1], taps))).values for each in (here, there)]
    name = "layers.0.attention.probabilities"
    assert farthest(of_both[1][name], of_both[0][name]) < 1e-4


def test_a_dense_layer_after_the_pooling():
    encoder = load("mini", device=GPU)
    dense = Dense(torch.randn(5, encoder.model.width), torch.randn(5), "torch.nn.modules.activation.Tanh")
    wider = dataclasses.replace(encoder, head=SentenceHead(steps=(dense,)))
    assert wider.encode(TEXTS[:2]).shape == (2, 5)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("kind", CONFIGS)
def test_states_of_every_family(kind, dtype):
    model, rng = made_up(kind).model, np.random.default_rng(0)
    batch = batch_of(rng, len(PIECES), [7, 1, 23, 7, 24])
    with torch.inference_mode():
        exact = model(batch).numpy()
        found = model.to(GPU, getattr(torch, dtype))(batch.to(torch.device(GPU))).float().numpy(force=True)
    assert farthest(found, exact) < (1e-4 if dtype == "float32" else 0.06)


def batch_of(rng, pieces, lengths):
    from wordworth.models.batch import Batch

    starts = torch.tensor([0, *lengths]).cumsum(0).int()
    ids = torch.from_numpy(rng.integers(5, pieces, sum(lengths)))
    return Batch(ids, torch.zeros_like(ids), starts)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("lengths", [[5], [3, 0, 130, 1, 7, 7]])
def test_attention_and_its_gradients(lengths, causal, dtype):
    starts = torch.tensor([0, *lengths]).cumsum(0).int()
    given = torch.randn(3, sum(lengths), 4, 32, generator=torch.Generator().manual_seed(0)).to(dtype)
    results = []
    for device, form in (("cpu", attend_reference), (GPU, attend)):
        parts = (given.float() if device == "cpu" else given.to(device)).clone().requires_grad_()
        out = form(*parts, PackedLayout(starts.to(device)), causal=causal, dropout=None)
        (gradient,) = torch.autograd.grad(out.float().sin().sum(), parts)
        results.append([each.detach().float().numpy(force=True) for each in (out, gradient)])
    for exact, found in zip(*results, strict=True):
        assert farthest(found, exact) < (1e-5 if dtype == torch.float32 else 2e-2)


@pytest.mark.parametrize("size", [8, 12, 64])
def test_dropped_attention_is_right_in_the_mean_and_learns_under_the_mask_that_it_had(size):
    lengths = [3, 0, 130, 1, 7, 7]
    layout = PackedLayout(torch.tensor([0, *lengths]).cumsum(0).int().to(GPU))
    generator = torch.Generator().manual_seed(0)
    q, k, v, wanted = torch.randn(4, sum(lengths), 4, size, generator=generator).to(GPU, torch.bfloat16)
    dropout = Dropout(0.25).train()
    q, k, v = (each.requires_grad_() for each in (q, k, v))
    out = attend(q, k, v, layout, dropout=dropout)
    assert not torch.equal(out, attend(q, k, v, layout))
    (gradient,) = torch.autograd.grad((out * wanted).float().sum(), v)
    # the result is linear in the values
    both = (out.float() * wanted).sum().item(), (v.float() * gradient).sum().item()
    assert both[1] == pytest.approx(both[0], rel=0.05, abs=2)
    with torch.no_grad():
        mean = torch.stack([attend(q, k, v, layout, dropout=dropout).float() for _ in range(400)]).mean(0)
        exact = attend(q, k, v, layout).float()
    assert float((mean - exact).norm() / exact.norm()) < 0.06


@pytest.mark.parametrize("kind", ["bert", "causal-bert", "gpt2", "bilm"])
def test_likelihoods_and_gaps(tmp_path, kind):
    model, texts = a_language_model(tmp_path, kind), ["the cat sat", "a", "the s, a s!"]
    here = log_likelihoods(model, texts).logs
    filled = fill(model, "the [MASK] s").best if kind == "bert" else ""
    there = log_likelihoods(model.to(GPU), texts).logs
    assert there == pytest.approx(here, rel=1e-4)
    if kind == "bert":
        assert fill(model, "the [MASK] s").best == filled


@pytest.mark.parametrize("architecture", ["bert", "causal-bert", "gpt", "bilm"])
def test_pretraining_of_every_architecture(corpus, tmp_path, architecture):
    changes = [each for each in CHANGES if not each.startswith(("dropout", "sequences"))]
    learned = recipe("modern", [*changes, "dropout=0", "sequences=packed"])
    losses = {}
    for name, device, dtype, compiled in (
        ("cpu", "cpu", "float32", False),
        ("float32", GPU, "float32", False),
        ("bfloat16", GPU, "bfloat16", False),
        ("compiled", GPU, "bfloat16", architecture == "bert"),
    ):
        given = settings(corpus, tmp_path / name, held_out=corpus, device=device, dtype=dtype, compiled=compiled)
        pretrain(dataclasses.replace(given, architecture=architecture, recipe=learned))
        losses[name] = [row["loss"] for row in curve(given.out) if row["kind"] == "step"]
    assert losses["float32"] == pytest.approx(losses["cpu"], rel=1e-3)
    assert losses["bfloat16"] == pytest.approx(losses["cpu"], rel=0.02)
    assert losses["compiled"] == pytest.approx(losses["cpu"], rel=0.02)


@pytest.mark.parametrize("options", [{}, {"dtype": "auto", "compiled": None}])
def test_pretraining_that_is_stopped_goes_on(corpus, tmp_path, options):
    usual = {"compiled": False, "device": GPU, "held_out": corpus}
    straight = settings(corpus, tmp_path / "straight", **{**usual, **options})
    pretrain(straight)
    stopped = dataclasses.replace(straight, out=tmp_path / "stopped")
    with pytest.raises(KeyboardInterrupt):
        pretrain(stopped, Killing(5))
    pretrain(stopped)
    both = [[row["loss"] for row in curve(each.out) if row["kind"] == "step"] for each in (straight, stopped)]
    assert len(both[1]) == 12
    assert both[1] == pytest.approx(both[0], rel=1e-3)  # dropout is drawn again as it was


def test_pretraining_that_is_killed_goes_on(corpus, tmp_path):
    whole, killed, steps = tmp_path / "whole", tmp_path / "killed", 60
    assert start(tmp_path, corpus, whole, steps, GPU).wait() == 0
    for rows in (5, 12):
        assert kill_after(start(tmp_path, corpus, killed, steps, GPU), killed, rows, 0.02)
    assert start(tmp_path, corpus, killed, steps, GPU).wait() == 0
    losses = [[row["loss"] for row in curve(out) if row["kind"] == "step"] for out in (whole, killed)]
    assert len(losses[0]) == steps
    assert losses[1] == pytest.approx(losses[0], rel=1e-2)  # sums in bfloat16 are in another order each time


@pytest.mark.parametrize("kind", KINDS)
def test_fine_tuning_learns_what_a_processor_learns(tiny, kind):
    losses = {}
    for name, device, bf16 in (("cpu", "cpu", False), ("float32", GPU, False), ("bfloat16", GPU, True)):
        task, encoder = sample_task(kind), load(tiny, device=device)
        head = head_of(task, crf=kind == "tags")
        rows = task.train[:32]
        inputs = head.encode(InputReader(tokenizer=encoder.tokenizer, limit=64), task.examples).take(rows)
        config = FineTuningConfig(steps=10, learning_rate=1e-3, encoder_dropout=False, dropout=0.0, bf16=bf16)
        run = FineTuningRun(encoder.model, head, inputs, head.targets(task.gold(rows), inputs), config, 0)
        run.loop.train(10)
        losses[name] = run.loop.losses
    assert losses["float32"] == pytest.approx(losses["cpu"], rel=1e-3)
    assert losses["bfloat16"] == pytest.approx(losses["cpu"], rel=0.05)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *((kind, {}) for kind in KINDS),
        ("single", {"recipe": "paper", "bilstm": True}),
        ("tags", {"crf": True, "context": 32}),
        ("tags", {"features": "concat-last-four"}),
        ("single", {"embeddings": False, "processes": 4, "restarts": 4}),
    ],
)
def test_fine_tuning_and_answers(tiny, tmp_path, kind, options):
    task = sample_task(kind)
    record = finetune(task, model=tiny, out=tmp_path / "run", device=GPU, **{**BRIEF, "restarts": 1, **options})
    assert set(record.table("runs")["state"]) <= {"finished", "collapsed"}
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in asked(kind)))
    answers = {}
    for device, dtype in (("cpu", "float32"), (GPU, "float32"), (GPU, "auto")):
        out = tmp_path / f"{device}-{dtype}.jsonl"
        predict(tmp_path / "run", tmp_path / "in.jsonl", out, device=device, dtype=dtype)
        answers[device, dtype] = [json.loads(line) for line in out.read_text().splitlines()]
    assert said(answers[GPU, "float32"]) == said(answers["cpu", "float32"])
    same = [a == b for a, b in zip(said(answers[GPU, "auto"]), said(answers["cpu", "float32"]), strict=True)]
    assert np.mean(same) > (0.8 if kind != "regression" else -1)


def asked(kind):
    """Rows to answer, of the sample tasks' own words."""
    examples = sample_task(kind, seed=1).examples
    for index in range(30):
        if kind == "tags":
            yield {"words": list(examples.words[index])}
        elif kind == "choice":
            yield {"context": examples.first[index], "options": list(examples.options[index])}
        elif kind == "span":
            yield {"question": examples.first[index], "context": examples.second[index]}
        elif kind == "pair":
            yield {"text_a": examples.first[index], "text_b": examples.second[index]}
        else:
            yield {"text": examples.first[index]}


def said(answers):
    """The answers, numbers to three digits."""
    names = ("label", "labels", "choice", "tags", "answer", "value")
    return [
        {name: round(row[name], 3) if name == "value" else row[name] for name in names if name in row}
        for row in answers
    ]


def test_runs_side_by_side_are_those_that_come_one_after_the_other(tiny, tmp_path):
    scores = []
    for processes in (1, 4):
        usual = {**BRIEF, "restarts": 4, "processes": processes, "device": GPU}
        record = finetune(sample_task("single", 180), model=tiny, out=tmp_path / str(processes), **usual)
        scores.append(list(record.table("runs")["dev"]))
    assert scores[1] == pytest.approx(scores[0], abs=0.1)


def test_a_finished_model_is_kept_and_asked_often(tiny, tmp_path):
    finetune(sample_task("single"), model=tiny, out=tmp_path, device=GPU, **{**BRIEF, "restarts": 1})
    kept = load_run(tmp_path, device=GPU)
    first, again = (kept.predict(["a good film", "a bad film"]).prediction for _ in range(2))
    assert list(first) == list(again)


def test_a_tiny_folder_of_another_library(tmp_path):
    folder = write_tiny(tmp_path / "gpt2", "gpt2")
    here, there = load(folder), load(folder, device=GPU)
    assert farthest(there.encode(TEXTS[:2]), here.encode(TEXTS[:2])) < 1e-4


def test_a_file_of_texts_is_embedded_there_as_on_the_processor(tiny, tmp_path):
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS * 3))
    vectors = {}
    for device in ("cpu", GPU, "auto"):
        out = tmp_path / f"{device}.npy"
        ww.embed(tmp_path / "texts.jsonl", out, model=tiny, device=device, dtype="float32")
        vectors[device] = np.load(out)
    assert farthest(vectors[GPU], vectors["cpu"]) < 1e-4
    assert (vectors[GPU] == vectors["auto"]).all()
    assert ww.embed(TEXTS, model=tiny, dtype="int8").shape == (len(TEXTS), vectors["cpu"].shape[1])  # on the processor


def test_a_study_has_the_scores_of_one_on_the_processor(tiny, tmp_path):
    rows = [{"text": text, "label": label} for text, label in labelled_texts(160)]
    names = {"tfidf", "tiny", "tiny-finetuned", "tiny-fewshot"}
    choices = {"models": [tiny], "rungs": sorted(names), "seeds": 2, "draws": 100, "budget": "none", "seed": 1}
    scores = {}
    for device in ("cpu", GPU):
        record = ww.worth(rows, text="text", label="label", out=tmp_path / device, device=device, **choices)
        top = max(row["labels"] for row in record.table("curve").to_dict("records"))
        curve = record.table("curve").to_dict("records")
        scores[device] = {row["rung"]: row["score"] for row in curve if row["labels"] == top}
        assert ("device" in record.environment) == (device == GPU)
    assert names <= set(scores[GPU])
    for name in names:
        assert scores[GPU][name] == pytest.approx(scores["cpu"][name], abs=0.06), name


def labelled_texts(number):
    """Short texts of the tiny encoder's words, with a label that one of them decides."""
    rng = np.random.default_rng(0)
    words = [piece for piece in PIECES if piece.isalpha()]
    for index in range(number):
        label = ("good", "bad")[index % 2]
        yield " ".join([*rng.choice(words, 4), words[index % 2], *rng.choice(words, 2)]), label


def test_a_server_answers_with_the_vectors_of_the_processor(tiny):
    here, there = (Served.load(tiny, ServeSettings(device=name, dtype="float32")) for name in ("cpu", GPU))
    assert there.fingerprint == here.fingerprint
    vectors = [np.array([decoded(vector) for vector in each.canaries]) for each in (here, there)]
    assert farthest(vectors[1], vectors[0]) < 1e-4


def decoded(vector):
    return np.frombuffer(base64.b64decode(vector), "<f4")


@pytest.mark.parametrize("loss", ["ranking", "cosine", "softmax"])
def test_sentence_vectors_are_trained_as_on_the_processor(tiny, tmp_path, loss):
    rows = labelled_pairs(64, loss)
    vectors = {}
    for device in ("cpu", GPU):
        choices = {"model": tiny, "loss": loss, "device": device, "epochs": 1, "batch_size": 16, "max_length": 64}
        ww.train_sentences(rows, tmp_path / device, **choices)
        vectors[device] = ww.load(tmp_path / device).encode(TEXTS[:2])
    start = ww.load(tiny).encode(TEXTS[:2])
    assert not np.allclose(vectors[GPU], start, atol=1e-4)
    cosines = (vectors["cpu"] * vectors[GPU]).sum(1) / np.prod([np.linalg.norm(v, axis=1) for v in vectors.values()], 0)
    assert cosines.min() > 0.9


def labelled_pairs(number, loss):
    """Pairs of texts: what each loss learns from."""
    words = [text for text, _ in labelled_texts(2 * number)]
    targets = {"ranking": ("label", "entailment"), "cosine": ("score", 0.5), "softmax": ("label", "neutral")}
    name, value = targets[loss]
    rows = [{"text_a": a, "text_b": b, name: value} for a, b in zip(words[::2], words[1::2], strict=True)]
    for index, row in enumerate(rows):
        if index % 2:
            row[name] = 0.9 if loss == "cosine" else "entailment"
    return rows


def test_a_student_learns_there_from_a_teacher(tiny, tmp_path):
    finetune(sample_task("single"), model=tiny, out=tmp_path / "run", device=GPU, **{**BRIEF, "restarts": 1})
    rows = [{"text": text, "label": label} for text, label in labelled_texts(60)]
    write_rows(tmp_path / "train.csv", sample_task("single"))
    for method in ("kd", "distilbert", "tinybert"):
        out = tmp_path / method
        choices = {"layers": 1, "method": method, "seeds": 1, "epochs": 1, "processes": 1, "device": GPU}
        record = ww.distill(tmp_path / "run", out, data=tmp_path / "train.csv", **choices)
        assert {"teacher", method} <= {row["model"] for row in record.tables["models"].rows()}
        assert len(ww.predict(out, rows, device=GPU)) == len(rows)
