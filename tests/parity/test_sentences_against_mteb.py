"""Pairs of scored texts in MTEB's own code: the correlations are those of `study sentences`."""

from pathlib import Path

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.training.sentences.sentence_files import scored

import wordworth as ww
from wordworth.tasks.formats.data_folders import shared_file
from wordworth.tasks.reading.sentence_rows import read_sentences

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("default")]  # of MTEB and what it imports, not ours
mteb = pytest.importorskip("mteb", exc_type=ImportError)
abstasks = pytest.importorskip("mteb.abstasks")
datasets = pytest.importorskip("datasets")


class Pairs(abstasks.AbsTaskSTS):
    """Scored pairs as a task of MTEB."""

    metadata = mteb.TaskMetadata(
        name="Pairs",
        description="Scored pairs.",
        dataset={"path": "pairs", "revision": "0"},
        type="STS",
        category="t2t",
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="cosine_spearman",
        is_public=False,
    )


def scores_of_mteb(model, path) -> dict[str, float]:
    rows, task = read_sentences(path), Pairs()
    columns = {"sentence1": list(rows.first), "sentence2": list(rows.second), "score": rows.scores.tolist()}
    task.dataset = datasets.DatasetDict({"test": datasets.Dataset.from_dict(columns)})
    task.data_loaded = True
    result = mteb.evaluate(model, task, cache=None, show_progress_bar=False).task_results[0]
    return result.scores["test"][0]


def own_scores(model, path):
    table = ww.study_sentences(model=model, data=path, other_models=(), draws=100).table("scores")
    return table[(table["system"] == "own") & (table["subset"] == "all")].iloc[0]


def require_equal(folder, path):
    peer = pytest.importorskip("sentence_transformers")
    from wordworth.integrations.mteb import MtebModel

    own = own_scores(folder, path)
    for model in (MtebModel(folder), peer.SentenceTransformer(folder, device="cpu")):
        theirs = scores_of_mteb(model, path)
        assert own["spearman"] == pytest.approx(theirs["cosine_spearman"], abs=1e-6)
        assert own["pearson"] == pytest.approx(theirs["cosine_pearson"], abs=1e-6)


def test_a_small_set(tmp_path):
    require_equal(str(write_tiny_encoder(tmp_path / "tiny")), scored(tmp_path / "pairs.csv"))


def test_a_published_set():
    path = shared_file(Path("stsb/test.csv"))
    if path is None:
        pytest.skip("STS-B is not in $WORDWORTH_DATA")
    from wordworth.sources import resolve

    require_equal(str(resolve("mini").folder), path)
