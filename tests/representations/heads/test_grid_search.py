"""A fold is judged exactly as learning on its training part and answering its held-out part would be."""

import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import log_loss

from wordworth.models.load import load
from wordworth.representations import tfidf_with_encoder
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.cross_validation import FoldPlan, cross_validation
from wordworth.representations.heads.fold_models import Candidate, FoldModels
from wordworth.representations.heads.grid_search import _SEARCH, GridSearch
from wordworth.representations.heads.linear_head import LinearChoice, LinearHead
from wordworth.representations.heads.logit_adjustment import LogitAdjustment
from wordworth.representations.heads.newton_cg import Precision
from wordworth.representations.heads.scalar_mix import ScalarMixHead
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext
from wordworth.representations.static_vectors import StaticRung
from wordworth.representations.tfidf import Tfidf
from wordworth.representations.tfidf_with_encoder import Hybrid
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Examples, Task
from wordworth.tasks.task_types import IN_LADDER

TOLERANCE = 0.003
"""Of a score in 0 to 1: the search stops its solver earlier than learning does."""
PRECISE = Precision(tolerance=1e-4, steps=2_000)
"""For both, where stopping early moves answers: at C = 10 on the blocks of the hybrid by 0.004."""


def made_up(kind="single", metric="accuracy", count=240, seed=0):
    """Texts of a few telling words among many that most texts have for themselves."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, count) if kind != "regression" else rng.normal(size=count)
    topic = labels if kind != "regression" else np.digitize(labels, [-0.5, 0.5])
    telling = [["goal", "match", "team"], ["bank", "share", "price"], ["film", "actor", "plot"]]

    def text(row):
        own = [f"w{rng.integers(0, 5000)}" for _ in range(8)]
        known = rng.choice(telling[topic[row] if rng.random() < 0.8 else rng.integers(0, 3)], 2)
        return " ".join(rng.permutation([*own, *known]))

    texts = tuple(text(row) for row in range(count))
    classes = () if kind == "regression" else ("sport", "money", "cinema")
    numbers = np.arange(count)
    return Task("made up", kind, Examples(texts), labels, classes, numbers, numbers[:0], metric)


def tau_of(task):
    """A logit adjustment, where the metric cares for rare classes."""
    return 0.5 if "f1" in task.metric else 0.0


TFIDF, HEAD = RepresentationRung(Tfidf()), LinearHead()


def honestly(task, candidate, splits, rung=TFIDF, head=HEAD):
    """The slow way: a rung that sees nothing but a fold's training rows learns, then answers the held-out texts."""
    gold, answers = [], []
    for training, held_out in splits:
        alone = replace(
            task,
            examples=task.examples.take(training),
            labels=task.gold(training),
            train=np.arange(len(training)),
            test=np.arange(0),
        )
        learner = rung.prepare(alone, RunContext())
        rows = np.arange(len(training))
        fitted, views = head, learner.fit_representation(rows)
        view, strength = candidate
        choice = LinearChoice(view=view, strength=strength, tau=tau_of(task))
        model = fitted.learn(views.features(rows), Target.of(alone, rows), choice, np.random.default_rng(0))
        new = views.representation.views(task.examples.take(held_out), RunContext())[model.view]
        answers.append(model.predict(new))
        gold.append(task.gold(held_out))
    target = replace(Target.of(task, np.arange(0)), labels=np.concatenate(gold))
    return target.score(np.concatenate(answers))


def by_search(task, candidates, splits, rung=TFIDF, precision=_SEARCH):
    learner = rung.prepare(task, RunContext())
    search = GridSearch(cross_validation(learner.fold, Target.of(task, task.train), splits), (tau_of(task),), precision)
    return search.scores([Candidate(view, strength) for view, strength in candidates])[:, 0].tolist()


@pytest.mark.parametrize(
    ("kind", "metric"), [("single", "accuracy"), ("single", "macro_f1"), ("regression", "pearson")]
)
def test_the_search_scores_as_honest_cross_validation_does(kind, metric):
    task = made_up(kind, metric)
    splits = FoldPlan().split(Target.of(task, task.train), np.random.default_rng(0))
    candidates = [(view, strength) for view in ("words", "characters", "both") for strength in (1.0, 30.0)]
    searched = by_search(task, candidates, splits)
    slow = [honestly(task, candidate, splits) for candidate in candidates]
    assert searched == pytest.approx(slow, abs=TOLERANCE)


def vectors_of_words(task, width, seed=0):
    """Word -> vector float32 [width]: columns of unlike means, sizes and tails, so that their scaling matters."""
    rng = np.random.default_rng(seed)
    words = sorted({word for text in task.examples.first for word in text.split()})
    vectors = rng.standard_t(2, size=(len(words), width)) * np.geomspace(0.01, 100, width) + np.arange(width)
    return dict(zip(words, vectors.astype(np.float32), strict=True))


@pytest.mark.parametrize(
    ("kind", "metric"), [("single", "accuracy"), ("single", "macro_f1"), ("regression", "pearson")]
)
def test_static_vectors_too_are_scaled_by_the_training_part_of_a_fold_alone(kind, metric, tmp_path):
    task = made_up(kind, metric, count=60)
    table = vectors_of_words(task, 12)
    lines = (f"{word} {' '.join(map(str, vector))}\n" for word, vector in table.items())
    (tmp_path / "table.txt").write_text("".join(lines))
    rung = StaticRung(str(tmp_path / "table.txt"), "table", "Table")
    splits = FoldPlan().split(Target.of(task, task.train), np.random.default_rng(0))
    candidates = [(view, strength) for view in ("mean", "rare", "mean-max") for strength in (1.0, 30.0)]
    searched = by_search(task, candidates, splits, rung, PRECISE)
    slow = [honestly(task, candidate, splits, rung, LinearHead(precision=PRECISE)) for candidate in candidates]
    assert searched == pytest.approx(slow, abs=TOLERANCE)


@dataclass(frozen=True)
class Layered(Representation):
    """The mean vector of a text's words in each of three made-up layers."""

    layers: tuple[dict[str, np.ndarray], ...]
    name, title, family = "layered", "Layered", "frozen"

    @property
    def shape(self):
        return len(self.layers), len(next(iter(self.layers[0].values())))

    def kinds(self):
        return IN_LADDER

    def cost(self):
        return Cost(0, 0, 0)

    def views(self, examples, run_context):  # noqa: ARG002 - a Representation
        words = [text.split() for text in examples.first]
        rows = [[np.mean([layer[word] for word in text], axis=0) for layer in self.layers] for text in words]
        return {"layers": np.array(rows).reshape(len(rows), -1)}


@dataclass(frozen=True)
class Judge(LinearHead):
    """The head inside a mix of layers; it notes the search's scores of the folds that it gets."""

    candidates: tuple[Candidate, ...]
    splits: tuple[tuple[np.ndarray, np.ndarray], ...]
    scores: list[float]

    def choose(self, features, target, rng):  # noqa: ARG002 - a Head
        search = GridSearch(cross_validation(features, target, self.splits), (0.0,), PRECISE)
        self.scores.extend(search.scores(self.candidates)[:, 0])


@pytest.mark.parametrize(("kind", "metric"), [("single", "accuracy"), ("regression", "pearson")])
def test_the_mix_of_layers_is_learned_from_the_training_part_of_a_fold_alone(kind, metric):
    task = made_up(kind, metric, count=60)
    rung = RepresentationRung(Layered(tuple(vectors_of_words(task, 12, seed) for seed in range(3))))
    splits = FoldPlan().split(Target.of(task, task.train), np.random.default_rng(0))
    candidates = [Candidate("mix", strength) for strength in (1.0, 30.0)]
    judge = Judge(candidates=candidates, splits=splits, scores=[])
    shape, learner = rung.representation.shape, rung.prepare(task, RunContext())
    ScalarMixHead(shape=shape, inner=judge).choose(learner.fold, Target.of(task, task.train), np.random.default_rng(0))
    head = ScalarMixHead(shape=shape, inner=LinearHead(precision=PRECISE))
    slow = [honestly(task, candidate, splits, rung, head) for candidate in candidates]
    assert judge.scores == pytest.approx(slow, abs=TOLERANCE)


PRECISE = Precision(tolerance=1e-5, steps=500)


def made_up_search(metric, taus=(0.0, 0.5, 1.0), kind="single"):
    """A search over the folds of a made-up task."""
    task = made_up(kind, metric=metric)
    target, learner = Target.of(task, task.train), TFIDF.prepare(task, RunContext())
    splits = FoldPlan().split(target, np.random.default_rng(0))
    return GridSearch(cross_validation(learner.fold, target, splits), taus, precision=PRECISE)


def test_under_accuracy_the_log_loss_of_scikit_learn_counts_beside_the_metric():
    search = made_up_search("accuracy")
    models = FoldModels(search.folds, PRECISE)
    candidates = [Candidate(view, strength) for view in search.views for strength in (1.0, 100.0)]
    losses = search.scores(candidates) - search.selection_scores(candidates)
    gold = np.concatenate([fold.held_out.target.labels for fold in search.folds])
    for candidate, of_candidate in zip(candidates, losses, strict=True):
        for tau, loss in zip(search.taus, of_candidate, strict=True):
            adjusted = [
                scores - LogitAdjustment.of(fold.training.target, tau).shift
                for fold, scores in zip(search.folds, models.held_out_scores(candidate), strict=True)
            ]
            probabilities = search.calibration(candidate, tau).probabilities(np.concatenate(adjusted))
            assert loss == pytest.approx(log_loss(gold, probabilities), abs=0.01)


@pytest.mark.parametrize(("metric", "kind"), [("macro_f1", "single"), ("pearson", "regression")])
def test_other_metrics_compare_candidates_alone(metric, kind):
    search = made_up_search(metric, (0.0,), kind)
    candidates = [Candidate(view, 1.0) for view in search.views]
    assert np.array_equal(search.selection_scores(candidates), search.scores(candidates))


def test_new_words_of_held_out_texts_do_not_mislead_the_choice():
    """Strong models on words are good here; a vocabulary made of all folds would judge them as guessing."""
    task = made_up(count=300)
    learner = RepresentationRung(Tfidf()).prepare(task, RunContext())
    chosen = learner.fit(task.train, np.random.default_rng(0)).chosen
    new = made_up(count=600, seed=1)
    best = 0.0
    for view in ("words", "characters", "both"):
        for strength in LinearHead().strengths:
            views = learner.fit_representation(task.train)
            model = LinearHead().learn(
                views.features(task.train), Target.of(task, task.train), LinearChoice(view=view, strength=strength)
            )
            answers = model.predict(views.representation.views(new.examples, RunContext())[view])
            best = max(best, Target.of(new, new.train).score(answers))
            if (view, strength) == (chosen["view"], chosen["strength"]):
                taken = Target.of(new, new.train).score(answers)
    assert taken > best - 0.02


REAL = {
    "mr/all": "accuracy",
    "trec/train": "accuracy",
    "hate_offensive/all": "macro_f1",
    "sms_spam/all": "f1:spam",
    "tweet_emotion/train": "macro_f1",
}


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, 1000])
@pytest.mark.parametrize("name", REAL)
def test_on_real_texts_too_the_search_scores_as_honest_cross_validation_does(name, size):
    task = real(name, size, text="text", label="label", metric=REAL[name])
    require_equal(task, [("words", 10.0), ("both", 10.0)])


PAIRS = {"mrpc/train": "macro_f1", "rte/train": "accuracy"}


@pytest.mark.slow
@pytest.mark.parametrize("size", [300, 1000])
@pytest.mark.parametrize("name", PAIRS)
def test_on_real_pairs_too_the_search_scores_as_honest_cross_validation_does(name, size):
    task = real(name, size, text="text_a", text_b="text_b", label="label", metric=PAIRS[name])
    require_equal(task, [("words", 10.0), ("both", 10.0)])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "size"), [("mr/all", 1000), ("tweet_emotion/train", 300), ("rte/train", 300)])
def test_on_real_texts_and_pairs_the_hybrid_is_searched_as_honest_cross_validation_does(name, size, monkeypatch):
    encoder = load("mini")  # in float32: in bfloat16 a vector depends on the texts read beside it, by up to 1 %
    monkeypatch.setattr(tfidf_with_encoder, "load_encoder", lambda *_: encoder)
    columns = {"text": "text_a", "text_b": "text_b"} if name in PAIRS else {"text": "text"}
    task = real(name, size, **columns, label="label", metric=(REAL | PAIRS)[name])
    candidates, rung = [("sentence 0.3", 10.0), ("sentence 0.7", 1.0)], Hybrid("mini")
    splits = FoldPlan().split(Target.of(task, task.train), np.random.default_rng(0))
    searched = by_search(task, candidates, splits, rung, PRECISE)
    slow = [honestly(task, candidate, splits, rung, LinearHead(precision=PRECISE)) for candidate in candidates]
    assert searched == pytest.approx(slow, abs=TOLERANCE)


def real(name, size, **columns):
    """Some rows of a real data set as a task of training rows alone."""
    folder = Path(os.environ.get("WORDWORTH_DATA", Path(__file__).parents[4] / "shared" / "data"))
    if not (file := folder / f"{name}.csv.xz").exists():
        pytest.skip(f"no {name} in the folder of data sets (WORDWORTH_DATA)")
    whole = read_task(file, ReadSettings(**columns))
    rows = np.sort(np.random.default_rng(0).permutation(len(whole.examples))[:size])
    return replace(
        whole, examples=whole.examples.take(rows), labels=whole.gold(rows), train=np.arange(size), test=rows[:0]
    )


def require_equal(task, candidates):
    splits = FoldPlan().split(Target.of(task, task.train), np.random.default_rng(0))
    searched = by_search(task, candidates, splits)
    slow = [honestly(task, candidate, splits) for candidate in candidates]
    assert searched == pytest.approx(slow, abs=TOLERANCE)
