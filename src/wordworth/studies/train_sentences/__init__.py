"""The command `train-sentences`: train the sentence vectors of an encoder on pairs or triples of texts."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.text.file_formats.in_memory import TableSource
from wordworth.training.sentences.settings import SentenceTrainingSettings

__all__ = ["train_sentences"]


@documented_by(SentenceTrainingSettings)
def train_sentences(  # noqa: PLR0913 - the settings, each by its name
    data: TableSource,
    out: Path | str,
    *,
    model: str = "minilm",
    loss: str = "ranking",
    layers: int | None = None,
    teacher: str | None = None,
    dev: TableSource | float = 0.1,
    epochs: float | None = None,
    batch_size: int | None = None,
    learning_rate: float | None = None,
    pooling: str | None = None,
    prompt: str | None = None,
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    matryoshka: str | tuple[int, ...] = (),
    concatenation: tuple[str, ...] = ("u", "v", "difference"),
    max_length: int = 128,
    text: str | None = None,
    text_b: str | None = None,
    text_c: str | None = None,
    label: str | None = None,
    positive: str | None = None,
    negatives_from: str | None = None,
    seed: int = 0,
    device: str = "auto",
    threads: int = 1,
    save_every: float = 60.0,
    progress: Progress = SILENT,
) -> Record:
    """Train the sentence vectors of an encoder on pairs or triples of texts.

    The losses come from Sentence-BERT (Reimers and Gurevych 2019, arXiv 1908.10084) and from in-batch negatives
    (Henderson et al. 2017, arXiv 1705.00652). Every command of Wordworth and the library sentence-transformers can load
    the folder as a model. If a training was stopped, the same call resumes it, and writes the same bytes as a training
    without a stop.

    Args:
        data: pairs or triples of texts: a file or a table.
        out: the folder to write: the model, with record.json and report.html beside it.
        loss: the training objective. `ranking`: of all second and third texts of a batch, the nearest to a row's first
            text should be the row's second text. `softmax`: a classifier predicts the label from both vectors and their
            difference. `cosine`: the cosine of both vectors should be the score. `triplet`: the second text should be
            nearer to the first than the third is. `mse`: the vector of a text should be the teacher's (Reimers and
            Gurevych 2020, arXiv 2004.09813); rows are single texts.
        dev: a share of the rows, or a file or table, on which the step to keep is chosen: by Spearman's correlation
            with the scores if the rows have scores, by the loss if not. 0 keeps the last step.
        pooling: how states become a vector; None for the checkpoint's own pooling.
        matryoshka: widths of prefixes of the vectors that are trained too, such as `(64, 128)`.
        positive: the label of pairs whose texts are alike, for `ranking` and `triplet` on labelled pairs.
        negatives_from: a model by whose vectors a hard negative is chosen for each row without a third text, among the
            second texts of other rows; for `ranking` and `triplet`.
        progress: receives progress and messages.

    Returns:
        A record of kind `train_sentences`: `tables["losses"]` has the training loss, `tables["evaluations"]` the dev
        part's score before the first step and during the training.

    Raises:
        BadInput: the rows lack what the loss needs, the model is no encoder, or `out` holds other files.
        Diverged: a loss or gradient is not finite.
    """
    arguments = dict(locals())
    from wordworth.files import as_path
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files
    from wordworth.training.sentences.settings import require_known

    with as_files(data, dev, names=["the table", "the dev table"]) as (rows, judged):
        settings = settings_from({**arguments, "dev": judged}, SentenceTrainingSettings)
        target = as_path(out, "--out")
        require_known(settings)
        from wordworth.studies.train_sentences.study import run

        return run(settings, Path(rows), target, progress)
