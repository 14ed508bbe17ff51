"""`predict` and `load_run`: a fine-tuned model's predictions for texts, tables and files of any size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from wordworth.errors import BadInput
from wordworth.files import as_path, atomic_write, require_distinct
from wordworth.inference.predict_rows import (
    Predicted,
    answered_rows,
    require_questions,
    write_squad_predictions,
)
from wordworth.inference.predict_settings import PredictSettings
from wordworth.inference.prediction_files import AnswerTable, write_answers
from wordworth.inference.read_predictor import read_predictor
from wordworth.models.cpu_inference import DtypeOption
from wordworth.progress import SILENT, Progress
from wordworth.settings_validation import settings_from
from wordworth.text.file_formats.in_memory import TableSource, as_file
from wordworth.text.file_formats.read import require_writable
from wordworth.text.read_compressed_file import check_file, suffix_of

if TYPE_CHECKING:
    import pandas as pd

    from wordworth.inference.predict_rows import RowPredictor
    from wordworth.inference.read_predictor import AnyPredictor

Run: TypeAlias = Path | str
Runs: TypeAlias = list[Run] | tuple[Run, ...] | Mapping[str, Run]


@overload
def predict(
    run: Run | Runs,
    data: TableSource,
    out: None = None,
    *,
    text: str | None = ...,
    text_b: str | None = ...,
    device: str = ...,
    dtype: DtypeOption = ...,
    long_texts: Literal["cut", "vote"] = ...,
    progress: Progress = ...,
) -> pd.DataFrame: ...
@overload
def predict(
    run: Run | Runs,
    data: TableSource,
    out: Path | str,
    *,
    text: str | None = ...,
    text_b: str | None = ...,
    device: str = ...,
    dtype: DtypeOption = ...,
    long_texts: Literal["cut", "vote"] = ...,
    progress: Progress = ...,
) -> Predicted: ...
def predict(  # noqa: PLR0913 - the settings, each by its name
    run: Run | Runs,
    data: TableSource,
    out: Path | str | None = None,
    *,
    text: str | None = None,
    text_b: str | None = None,
    device: str = "auto",
    dtype: DtypeOption = "auto",
    long_texts: Literal["cut", "vote"] = "cut",
    progress: Progress = SILENT,
) -> pd.DataFrame | Predicted:
    """Predict every row of a file or table with the model of a run or with probes, in memory or written to a file.

    Args:
        run: the output folder of a fine-tuning, a probe or a study `worth`, or the model folder inside that. Several
            probes on one encoder are given as a sequence of folders, or as a mapping of name -> folder. The encoder
            then runs once for all probes, and the columns of each probe begin with its name, by default the folder's.
        data: the input: .jsonl, .csv, .tsv, .parquet, .txt or CoNLL, compressed or not; for answer spans also a SQuAD
            .json; or a table in memory, or a list of texts.
        out: a .jsonl with one object per row, in the order of `data`: `id` (the row's number from 0 if the input has no
            ids), the answer's values, the columns that a .csv has after the columns of `data`, and the row itself as
            `input`; a .csv or .parquet with the columns of `data`, `row`, `prediction` and one probability per class;
            for tags also a .conll; for a SQuAD .json the official predictions (id to answer), with
            `answers.na_prob.json` beside `answers.json` where a question may have no answer. None writes nothing.
        text: the column of texts (of words, of contexts), needed if the column's name is neither as in the training
            file nor a usual name such as `text` or `sentence`.
        text_b: the column of the second texts of pairs, needed if its name is neither as in the training file nor a
            usual name.
        device: `cpu`, `cuda`, or `auto`, which uses a GPU if there is one.
        dtype: dtype of the encoder's computation; `auto` is bfloat16 where the machine multiplies it faster, which is
            also the choice in training. Values and probabilities then differ from float32 in about their third digit.
            `int8` is faster still, on a CPU alone, and differs more.
        long_texts: `cut` truncates a longer text as in training; `vote` reads all of it in chunks, and combines the
            chunks' class probabilities (Huang et al. 2019, arXiv 1904.05342). `vote` needs a fine-tuned classifier of
            single texts.
        progress: receives progress and messages.

    Returns:
        A report on the file written; if `out` is None, a pandas DataFrame with the columns that a .csv would have.

    Raises:
        BadInput: `run` holds no model, probes read different encoders, or a row cannot be read; nothing is written.

    >>> predict("run", "input.jsonl", "answers.jsonl")  # doctest: +SKIP
    """
    columns = settings_from(locals(), PredictSettings)
    with as_file(data) as source:
        check_file(source)
        if out is None:
            return _with_index_of(data, _answered(_read(run, columns), source, columns, progress))
        return _write(run, source, as_path(out, "--out"), columns, progress)


def load_run(run: Path | str, *, device: str = "auto", dtype: DtypeOption = "auto") -> FineTuned:
    """Load the model of a run, to predict with it as often as wanted.

    Args:
        run: the output folder of a fine-tuning, a probe or a study `worth`, or the model folder inside that.
        device: `cpu`, `cuda`, or `auto`, which uses a GPU if there is one.
        dtype: dtype of the encoder's computation; `auto` is bfloat16 where the machine multiplies it faster.

    Raises:
        BadInput: `run` holds no model, or the model is damaged.

    >>> load_run("run").predict(["a good film"]).prediction  # doctest: +SKIP
    """
    return FineTuned(read_predictor(as_path(run, "run"), device, dtype))


@dataclass(frozen=True, slots=True)
class FineTuned:
    """The model of a run in memory, as `load_run` returns it.

    The model is a fine-tuned one, a probe, or a text representation with its classifier, as the study `worth` saves it.
    """

    predictor: AnyPredictor

    def __repr__(self) -> str:
        classes = f", classes {', '.join(self.predictor.classes)}" if self.predictor.classes else ""
        return f"<FineTuned {self.predictor.task_type.name}{classes}>"

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes or tags that the model predicts; empty if it predicts values, choices or spans."""
        return self.predictor.classes

    def predict(
        self,
        data: TableSource,
        *,
        text: str | None = None,
        text_b: str | None = None,
        progress: Progress = SILENT,
    ) -> pd.DataFrame:
        """Predict texts, or every row of a file or table.

        Args:
            data: a list of texts, a table in memory, or a file, as in `wordworth.predict`.
            text: the column of texts, if it has no usual name.
            text_b: the column of the second texts of pairs, if it has no usual name.
            progress: receives progress and messages.

        Returns:
            A row for each row of `data`: its columns, `row` (from 0), `prediction` and one probability per class. The
            index is the index of `data` if `data` is of pandas.

        Raises:
            BadInput: a row cannot be read.
        """
        if isinstance(data, str) and not Path(data).exists():
            raise BadInput(
                f"{data!r:.60} is one text, or a file that does not exist", mend="put a text in a list: [text]"
            )
        columns = settings_from({"text": text, "text_b": text_b}, PredictSettings)
        with as_file(data) as source:
            check_file(source)
            answers = _answered(self.predictor, source, columns, progress)
        return _with_index_of(data, answers)

    def rerank(self, query: str, texts: Sequence[str], *, relevant: str | None = None) -> pd.DataFrame:
        """Rank texts by their relevance to a query with a cross-encoder, a model that was fine-tuned on pairs of texts.

        Args:
            query: the first text of each pair.
            texts: the second texts.
            relevant: the class of pairs in which the text is relevant; None takes the second of two classes.

        Returns:
            A row for each text, the most relevant first, with the columns `text` and `score`: the probability of the
            class `relevant`, or the predicted value of a regression model. The index of a row is the text's number in
            `texts`.

        Raises:
            BadInput: the model reads one text, has no class of this name, or has more than two classes and `relevant`
                is None.
        """
        from wordworth.inference.rerank import rerank

        return rerank(self.predictor, query, texts, relevant)


def _answered(predictor: RowPredictor, source: Path, columns: PredictSettings, progress: Progress) -> pd.DataFrame:
    """Return the answers for the rows of a file, with the columns of a .csv of answers."""
    import pandas as pd

    if suffix_of(source.name) == ".json":
        mend = "name a .json with --out"
        raise BadInput("the answers to SQuAD's questions are an official file", where=str(source), mend=mend)
    with answered_rows(predictor, source, columns, progress) as (answers, layout, _):
        rows = [layout.values(answer) for answer in answers]
    frame = pd.DataFrame(rows, columns=list(layout.columns))
    return frame if rows else frame.astype(_dtypes(layout))


def _read(run: Run | Runs, settings: PredictSettings) -> RowPredictor:
    """Read a fine-tuned model, or several probes."""
    if isinstance(run, Mapping | list | tuple):
        from wordworth.inference.probes_predictor import ProbesPredictor

        if settings.long_texts == "vote":
            raise BadInput("chunks vote for one fine-tuned model", where="--long-texts vote", mend="leave it out")
        return ProbesPredictor.read(run, settings.device, settings.dtype)
    predictor = read_predictor(as_path(run, "run"), settings.device, settings.dtype)
    if settings.long_texts == "cut":
        return predictor
    from wordworth.inference.chunk_vote import ChunkVotePredictor

    return ChunkVotePredictor.of(predictor)


def _dtypes(layout: AnswerTable) -> dict[str, str]:
    """Return the dtype of each column of numbers, which pandas cannot see where there are no rows."""
    dtypes = {"integer": "int64", "number": "float64"}
    return {name: dtypes[kind] for name, kind in layout.columns.items() if kind in dtypes}


def _with_index_of(data: object, answers: pd.DataFrame) -> pd.DataFrame:
    """Return the answers with the index of a DataFrame or a Series of pandas, so that both align by it."""
    import pandas as pd

    return answers.set_index(data.index) if isinstance(data, pd.DataFrame | pd.Series) else answers


def _write(run: Run | Runs, source: Path, target: Path, columns: PredictSettings, progress: Progress) -> Predicted:
    """Write the answers for the rows of a file."""
    require_distinct(target, source)
    official = suffix_of(source.name) == ".json"
    written_as = None if official else require_writable(target)
    predictor = _read(run, columns)
    if written_as is None:
        require_questions(predictor.task_type, source)
        return write_squad_predictions(predictor, source, target, progress)
    answered = answered_rows(predictor, source, columns, progress)
    with atomic_write(target) as neighbour, answered as (answers, layout, counts):
        written = write_answers(neighbour, answers, layout, written_as)
    return Predicted(target, written, predictor.dtype, counts.empty)
