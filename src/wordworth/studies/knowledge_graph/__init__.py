"""The command `kg train`: vectors of the entities of a knowledge graph, judged by filtered ranks."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.training.knowledge_graph.settings import GraphTrainingSettings

__all__ = ["train_knowledge_graph"]


@documented_by(GraphTrainingSettings)
def train_knowledge_graph(  # noqa: PLR0913 - the settings, each by its name
    triples: Path | str,
    out: Path | str,
    *,
    model: str = "transe",
    dimension: int = 100,
    epochs: int | None = None,
    batch_size: int = 1_024,
    negatives: int = 256,
    margin: float = 9.0,
    temperature: float = 1.0,
    learning_rate: float = 0.02,
    draws: int = 1_000,
    seed: int = 0,
    device: str = "auto",
    threads: int = 1,
    save_every: float = 60.0,
    progress: Progress = SILENT,
) -> Record:
    """Train vectors of the entities and relations of a knowledge graph, and rank the true entity of held-out triples.

    The models are TransE (Bordes et al. 2013), DistMult (Yang et al. 2015, arXiv 1412.6575) and RotatE (Sun et al.
    2019, arXiv 1902.10197). All are trained with the self-adversarial loss of Sun et al. The vectors of the step with
    the best ranks on validation triples are kept. If a training was stopped, the same call resumes it, and writes the
    same bytes as a training without a stop.

    Args:
        triples: a folder with train.tsv, valid.tsv and test.tsv, each line a head, a relation and a tail with tabs
            between; or one file, of which 5 % are held out to validate and 5 % to test. The folder may also have a file
            entities.tsv, with columns `id` and `name`, whose names the report shows; each entity of a validation or
            test triple must then be in this file or in a training triple.
        out: the folder to write: entities.npy and relations.npy, float32, the identifiers of their rows in entities.tsv
            and relations.tsv, and record.json and report.html.
        progress: receives progress and messages.

    Returns:
        A record of kind `knowledge_graph`: `tables["scores"]` has filtered measures: the mean reciprocal rank and the
        shares of ranks of at most 1, 3 and 10, for the model and for a baseline that ranks by frequency.
        `tables["relations"]` has the same measures for each relation.

    Raises:
        BadInput: the triples cannot be read, there is no such model, or `out` holds other files.
        Diverged: a loss or gradient is not finite.

    >>> train_knowledge_graph("triples/", "kg", model="rotate")  # doctest: +SKIP
    """
    from wordworth.files import as_path
    from wordworth.settings_validation import settings_from

    settings = settings_from(locals(), GraphTrainingSettings)
    from wordworth.studies.knowledge_graph.study import run

    return run(settings, as_path(triples, "triples"), as_path(out, "--out"), progress)
