"""The study `distill`: distil a fine-tuned model into a smaller one, and compare with training without a teacher."""

from __future__ import annotations

from pathlib import Path

from wordworth.files import as_path
from wordworth.inference.embed_settings import Engine
from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.studies.distill.settings import DistillSettings, MethodName
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["distill"]


@documented_by(DistillSettings)
def distill(  # noqa: PLR0913 - the settings, each by its name
    run: Path | str,
    out: Path | str,
    *,
    data: TableSource,
    layers: int | None = None,
    start: str = "teacher",
    method: MethodName | None = None,
    compare: str = "finetune",
    test: TableSource | float | None = None,
    seeds: int = 5,
    temperature: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    learning_rate: float | None = None,
    batch_size: int | None = None,
    epochs: float | None = None,
    text: str | None = None,
    text_b: str | None = None,
    label: str | None = None,
    metric: str | None = None,
    limit: int | None = None,
    seed: int = 0,
    device: str = "auto",
    engine: Engine = "local",
    processes: int | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Train a smaller model (the student) on the answers of a fine-tuned one (the teacher), and measure both.

    For comparison, students without a teacher are trained from the same start with the same seeds; the difference is
    the gain by the teacher. Each text, or pair of texts, of the task must have one class. The same call resumes a study
    that was stopped.

    Args:
        run: the output folder of a fine-tuning, or the model folder inside that.
        out: a folder for record.json, report.html, `model` (the student) and `runs`, from which stopped runs resume.
        data: labelled rows, best those that the teacher learned from: a file, a table, or a list of dicts.
        start: the initial student. `teacher`: the first layers of the teacher. `pretrained`: the first layers of the
            model that the teacher was fine-tuned from, under a new output layer (Sun et al. 2019); give the name or
            folder of that model instead if it has moved. `bilstm`: a new BiLSTM over the teacher's word embeddings
            (Adhikari et al. 2019, arXiv 1904.08398).
        method: what is learned from the teacher. `kd`: its answers (Hinton et al. 2015). `pkd-skip`, `pkd-last`: its
            answers and its text vectors in intermediate layers (Sun et al. 2019). `distilbert`: its answers and the
            direction of its last hidden states (Sanh et al. 2019). `tinybert`: first its hidden states and attention,
            then its answers (Jiao et al. 2020). `finetune`: nothing. None is `kd` for a BiLSTM, else `pkd-skip`.
        test: a file or table to test on, or a share of the rows such as 0.2; None for a quarter, at least 200
            rows and at most two fifths, as in fine-tuning.
        learning_rate: peak learning rate; None chooses by the encoder's width.
        metric: metric of the scores; if not given, the usual metric of the kind of task.
        device: cpu, cuda, or auto.
        progress: receives progress and messages.

    Returns:
        A record of kind `distill` with tables `models` (scores, losses and gains), `methods` (formulas and weights) and
        `runs`; `timings["speed"]` has milliseconds per text.

    Raises:
        BadInput: the model cannot be a teacher of the requested student, the model that the student starts from is not
            on this machine, the rows do not fit the teacher, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(data, test, names=["the table", "the test table"]) as (rows, test_part):
        settings = settings_from({**arguments, "data": rows, "test": test_part}, DistillSettings)
        target = as_path(out, "--out")
        from wordworth.studies.distill.study import STUDY  # imports torch

        return STUDY.answer(settings, out=target, progress=progress, run=run, target=target)
