"""Trained folders load in sentence-transformers with the same vectors; losses have the values of its losses."""

import numpy as np
import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.training.sentences.sentence_files import labelled

import wordworth as ww
from wordworth.progress import SILENT
from wordworth.tasks.reading.sentence_rows import read_sentences
from wordworth.training.sentences.hard_negatives import MARGIN, with_hard_negatives
from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.cosine import CosineLoss
from wordworth.training.sentences.losses.mse import VectorLoss
from wordworth.training.sentences.losses.ranking import RankingLoss
from wordworth.training.sentences.losses.triplet import TripletLoss

pytestmark = pytest.mark.peers
peers = pytest.importorskip("sentence_transformers")
losses = pytest.importorskip("sentence_transformers.losses")

TEXTS = ["a good film", "the book was bad", "dinner", "there we really was it", "!"]
WIDTH = 6


@pytest.mark.parametrize(("pooling", "prompt"), [("mean", None), ("cls", None), ("max", "the ")])
def test_a_trained_folder_gives_the_same_vectors(tmp_path, pooling, prompt):
    model, rows = write_tiny_encoder(tmp_path / "tiny"), labelled(tmp_path / "nli.csv", 20)
    options = {"model": str(model), "dev": 0, "max_length": 64, "pooling": pooling, "batch_size": 8, "epochs": 2}
    ww.train_sentences(rows, tmp_path / "sbert", prompt=prompt, **options)
    theirs = peers.SentenceTransformer(str(tmp_path / "sbert"), device="cpu").encode(TEXTS)
    assert np.abs(ww.load(tmp_path / "sbert").encode(TEXTS) - theirs).max() <= 1e-5


class Given(torch.nn.Module):
    """A model that gives vectors as they are, for losses of the peer."""

    def forward(self, features):
        return {"sentence_embedding": features["vectors"]}


def of_peer(loss, sides: list[torch.Tensor], labels: torch.Tensor | None = None) -> float:
    return loss([{"vectors": side} for side in sides], labels).item()


def vectors(texts: int) -> torch.Tensor:
    return torch.randn(texts, WIDTH, generator=torch.Generator().manual_seed(0))


def ours(kind, number: int, sides: int, targets: torch.Tensor | None = None) -> float:
    columns = torch.arange(sides * number).view(sides, number).T
    if sides == 2:
        columns = torch.cat([columns, torch.full((number, 1), -1)], 1)
    return kind(LossOptions(WIDTH))(vectors(sides * number), ComparedTexts(columns, targets)).item()


def test_in_batch_negatives():
    peer = losses.MultipleNegativesRankingLoss(Given())
    assert ours(RankingLoss, 5, 2) == pytest.approx(of_peer(peer, list(vectors(10).split(5))), rel=1e-5)
    assert ours(RankingLoss, 5, 3) == pytest.approx(of_peer(peer, list(vectors(15).split(5))), rel=1e-5)


def test_regression_and_triplets():
    scores = torch.tensor([0.1, 0.5, 1.0, 0.0])
    peer = losses.CosineSimilarityLoss(Given())
    assert ours(CosineLoss, 4, 2, scores) == pytest.approx(of_peer(peer, list(vectors(8).split(4)), scores), rel=1e-5)
    triplet = losses.TripletLoss(Given(), triplet_margin=1)
    assert ours(TripletLoss, 4, 3) == pytest.approx(
        of_peer(triplet, list(vectors(12).split(4)), torch.zeros(4)), rel=1e-4
    )


def test_vectors_of_a_teacher():
    teacher, rows = torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(1)), torch.full((4, 3), -1)
    rows[:, 0] = torch.arange(4)
    own = VectorLoss(LossOptions(WIDTH))(vectors(4), ComparedTexts(rows, teacher)).item()
    assert own == pytest.approx(of_peer(losses.MSELoss(Given()), [vectors(4)], teacher), rel=1e-6)


def test_hard_negatives_are_those_that_the_peer_mines(tmp_path):
    datasets = pytest.importorskip("datasets")
    mine_hard_negatives = pytest.importorskip("sentence_transformers.util").mine_hard_negatives
    model, path = write_tiny_encoder(tmp_path / "tiny"), labelled(tmp_path / "nli.csv", 40)
    rows = read_sentences(path)
    rows = rows.take([row for row, label in enumerate(rows.labels) if label == "entailment"])
    theirs = mine_hard_negatives(
        datasets.Dataset.from_dict({"anchor": rows.first, "positive": rows.second}),
        peers.SentenceTransformer(str(model), device="cpu"),
        relative_margin=MARGIN,
        num_negatives=1,
        range_max=len(rows),
        sampling_strategy="top",
        verbose=False,
    )
    mined = with_hard_negatives(rows, str(model), SILENT)
    ours = {row[:2]: row[2] for row in zip(mined.first, mined.second, mined.third, strict=True) if row[2]}
    assert ours == {(row["anchor"], row["positive"]): row["negative"] for row in theirs}
    assert len(ours) > 30


def test_queries_and_documents_have_the_vectors_of_encode_query_and_encode_document(tmp_path):
    model, rows = write_tiny_encoder(tmp_path / "tiny"), labelled(tmp_path / "nli.csv", 20)
    options = {"model": str(model), "dev": 0, "max_length": 64, "batch_size": 8, "epochs": 2}
    ww.train_sentences(rows, tmp_path / "two", query_prompt="good ", document_prompt="the ", **options)
    ours, theirs = ww.load(tmp_path / "two"), peers.SentenceTransformer(str(tmp_path / "two"), device="cpu")
    assert np.abs(ours.with_prompt("query").encode(TEXTS) - theirs.encode_query(TEXTS)).max() <= 1e-5
    assert np.abs(ours.with_prompt("document").encode(TEXTS) - theirs.encode_document(TEXTS)).max() <= 1e-5
    assert np.abs(ours.encode(TEXTS) - theirs.encode(TEXTS)).max() <= 1e-5
    assert np.abs(theirs.encode_query(TEXTS) - theirs.encode_document(TEXTS)).max() > 1e-3
