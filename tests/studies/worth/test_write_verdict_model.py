"""The rung that a verdict names lies beside the record, and answers `predict` as it answered in the study."""

import json
import shutil
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from tests.inference.tuned_model import write_rows
from tests.representations.tiny_encoder import write_tiny_encoder

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.progress import NoProgress
from wordworth.studies.worth import worth_and_show, write_verdict_model
from wordworth.testing.sample_tasks import sample_task

CHOICES = {"models": ["none"], "seeds": 2, "draws": 100, "quick": True}


@pytest.fixture(scope="module")
def reviews(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("named") / "reviews.csv", sample_task("classification", 90))


@pytest.fixture(scope="module")
def study(reviews):
    out = reviews.parent / "study"
    return out, ww.worth(reviews, **CHOICES, rungs=["tfidf"], out=out)


def test_the_verdicts_rung_answers_predict(study, reviews):
    out, record = study
    numbers = record.finding("verdict").numbers
    answers = ww.predict(out, reviews)
    right = (answers["prediction"] == pd.read_csv(reviews)["label"]).mean()
    assert right >= record.table("ladder").set_index("rung")["score"][numbers["rung"]]
    shares = answers[[name for name in answers if name.startswith("probability")]]
    assert shares.sum(axis=1).to_numpy() == pytest.approx(1, abs=1e-3)


def test_its_answers_are_scored_by_evaluate(study, reviews, tmp_path):
    ww.predict(study[0], reviews, tmp_path / "answers.csv")
    assert ww.evaluate(tmp_path / "answers.csv").table("scores")["score"][0] > 50


def test_the_folder_says_what_the_study_said(study):
    out, record = study
    facts = json.loads((out / "model" / "wordworth.json").read_text())["rung"]
    ladder = record.table("ladder").set_index("rung").loc["tfidf"]
    assert (facts["name"], facts["answer"]) == ("tfidf", record.finding("verdict").numbers["answer"])
    assert facts["score"] == pytest.approx(ladder["score"])
    assert facts["cost"]["texts_per_second"] > 0
    assert not any(path.suffix in {".pkl", ".pickle", ".joblib"} for path in out.rglob("*"))


@pytest.mark.slow
def test_a_few_shot_rung_is_written_with_the_encoder_that_it_trained(reviews, tmp_path):
    encoder, out = write_tiny_encoder(tmp_path / "small"), tmp_path / "study"
    choices = CHOICES | {"models": [str(encoder)]}
    ww.worth(reviews, **choices, rungs=["small-fewshot"], out=out)
    answers = ww.predict(shutil.copytree(out, tmp_path / "elsewhere"), reviews, dtype="float32")
    assert (answers["prediction"] == pd.read_csv(reviews)["label"]).mean() > 0.6
    assert (out / "model" / "encoder" / "config.json").is_file()


@pytest.mark.slow
def test_a_rung_without_such_a_form_is_noted_and_leaves_no_older_model(reviews, tmp_path, heard, monkeypatch):
    out = tmp_path / "study"
    ww.worth(reviews, **CHOICES, rungs=["tfidf"], out=out)
    assert (out / "model").is_dir()
    monkeypatch.setattr(write_verdict_model, "write_rung", _no_form)
    ww.worth(reviews, **CHOICES, rungs=["tfidf"], out=out, progress=heard)
    assert not (out / "model").exists()
    assert any(note.startswith("No model to serve is written: 'majority' is no") for note in heard.notes)


def test_a_constant_needs_no_model_and_serve_and_predict_say_so(tmp_path, heard):
    task, out = sample_task("classification", 90), tmp_path / "study"
    noise = write_rows(tmp_path / "noise.csv", replace(task, labels=np.random.default_rng(0).permutation(task.labels)))
    record = ww.worth(noise, **CHOICES, rungs=["random"], out=out, progress=heard)
    assert record.finding("verdict").numbers["rung"] == "majority"
    assert any("needs none, since it gives every text the same answer" in note for note in heard.notes)
    with pytest.raises(BadInput, match="names 'majority', and it gives every text the same answer"):
        ww.predict(out, noise)


def test_the_record_is_shown_before_its_model_is_fitted_and_the_time_of_the_fit_is_said(
    reviews, tmp_path, heard, monkeypatch
):
    monkeypatch.setattr(write_verdict_model, "_QUIET_S", 0.0)
    events = heard.notes
    choices = {**CHOICES, "data": reviews, "rungs": ["tfidf"], "out": tmp_path / "study", "progress": heard}

    def show(record):
        assert (tmp_path / "study" / "report.html").is_file()
        assert not (tmp_path / "study" / "model").exists()
        events.append(record)

    record = worth_and_show(choices, show)
    after = events[events.index(record) + 1 :]
    assert len(after) == 2
    assert "The verdict and the page are written. Fitting TF-IDF + linear on all labels" in after[0]
    assert "more, which the forecast did not count" in after[0]
    assert record.finding("verdict").numbers["answer"] == "cannot tell yet"
    assert after[1] == ("The model for predict and serve is TF-IDF + linear, the rung with the best score so far.")
    assert (tmp_path / "study" / "model").is_dir()


class Shares(NoProgress):
    """A progress that keeps the share of each step that was reported."""

    def __init__(self):
        self.shares = {}

    @contextmanager
    def step(self, title, total=None):
        self.shares[title] = 0.0

        class Step:
            @staticmethod
            def advance(amount=1):
                self.shares[title] += amount / total if total else 0.0

            skip = advance

        yield Step


def test_the_fit_on_all_labels_reports_how_much_of_it_is_done(reviews, tmp_path):
    progress = Shares()
    choices = {**CHOICES, "data": reviews, "rungs": ["tfidf"], "out": tmp_path / "study", "progress": progress}
    worth_and_show(choices, lambda _: None)
    assert 0.5 < progress.shares["fitting TF-IDF + linear on all labels"] <= 1


def test_that_no_model_is_written_is_said_after_the_record_is_shown(tmp_path, heard):
    task, events = sample_task("classification", 90), heard.notes
    noise = write_rows(tmp_path / "noise.csv", replace(task, labels=np.random.default_rng(0).permutation(task.labels)))
    choices = {**CHOICES, "data": noise, "rungs": ["random"], "out": tmp_path / "study", "progress": heard}
    record = worth_and_show(choices, events.append)
    assert events[events.index(record) + 1].startswith("No model to serve is written")


def test_an_interrupted_fit_leaves_no_model_of_an_earlier_verdict(reviews, tmp_path, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    out = tmp_path / "study"
    ww.worth(reviews, **CHOICES, rungs=["tfidf"], out=out)
    assert (out / "model").is_dir()
    monkeypatch.setattr(write_verdict_model, "write_rung", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ww.worth(reviews, **CHOICES, rungs=["tfidf"], out=out)
    assert sorted(path.name for path in out.iterdir()) == ["record.json", "report.html"]
    with pytest.raises(BadInput, match="names 'tfidf', and the study has not written it; run the study again"):
        ww.predict(out, reviews)


def test_the_tagger_that_a_verdict_names_tags_new_sentences(tmp_path):
    rng, sentences = np.random.default_rng(0), tmp_path / "sentences.jsonl"
    letters = rng.choice(list("abcdefghij"), (60, 6, 5))
    words = [["".join(word).title() if rng.random() < 0.4 else "".join(word) for word in each] for each in letters]
    tags = [["B-NAME" if word.istitle() else "O" for word in sentence] for sentence in words]
    rows = [{"words": sentence, "tags": own} for sentence, own in zip(words, tags, strict=True)]
    sentences.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    record = ww.worth(sentences, **CHOICES, rungs=["tfidf"], out=tmp_path / "study")
    assert record.finding("verdict").numbers["rung"] == "tfidf"
    answers = ww.predict(tmp_path / "study", sentences)
    assert answers["tags"].map(json.loads).tolist() == tags


def _no_form(*_):
    raise BadInput("'majority' is no representation under a head", mend="name another rung")


def test_a_model_of_no_study_is_not_replaced(reviews, tmp_path):
    (tmp_path / "model").mkdir()
    with pytest.raises(BadInput, match="a folder `model` that no study wrote"):
        ww.worth(reviews, **CHOICES, rungs=["tfidf"], out=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
