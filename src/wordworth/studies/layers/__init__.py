"""The study `layers`: from which layers of an encoder a label can be predicted.

The function `probe` trains and saves a linear probe of one layer, or of a mix of layers, for a user's labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.layers.settings import LayersSettings, ProbeSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["layers", "probe"]


@documented_by(LayersSettings)
def layers(  # noqa: PLR0913 - the settings of the study, each by its name
    tasks: Sequence[str] = (),
    *,
    data: TableSource | None = None,
    model: str = "minilm",
    text: str | None = None,
    label: str | None = None,
    group: str | None = None,
    limit: int = 1_000,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Find the layers of an encoder from which a label can be predicted, the best layer to use, and the speed of each.

    Edge probes (Tenney et al. 2019) tell at which layer each task is solved. Linear probes, with control tasks and
    description length, tell which layer to use. Both kinds of probes are compared with probes of an encoder with random
    weights and of layer 0 (words alone). Edge probes are also trained with a second seed.

    Args:
        tasks: `pos`, `chunk`, `dep`, `ner`, `spr`, `rel` or `dpr`, whose data are in the folder named by
            WORDWORTH_DATA; or `name=file` for a file of your own: a treebank for pos and dep, CoNLL, or JSON lines of
            spans as jiant reads them.
        data: labelled texts, or sentences with a tag for each word: a file or a table.
        out: a folder for record.json, report.html and, with `data`, the probe in `model/`; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `layers`: `tables["choices"]` has the layer to use for each task, and `tables["expected"]` the
        expected layer of each task by edge probes. For each task and layer, `tables["depths"]` has a row on edge probes
        and `tables["layers"]` a row on linear probes. `timings["speed"]` has the milliseconds that a text takes up to
        each layer.

    Raises:
        BadInput: there is no task, its data cannot be used, the model is no encoder, or `out` cannot be written.
    """
    return _run(dict(locals()), edges=True)


@documented_by(ProbeSettings)
def probe(  # noqa: PLR0913 - the settings, each by its name
    data: TableSource | None = None,
    out: Path | str | None = None,
    *,
    model: str = "minilm",
    text: str | None = None,
    label: str | None = None,
    group: str | None = None,
    limit: int = 1_000,
    draws: int = 1_000,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """Make a linear probe of a frozen encoder for your own labels, and choose the layer that it reads.

    The folder `out` takes a few kilobytes: it stores the encoder's name, not its weights. `predict` and `load_run` read
    it like the folder of a fine-tuned model; `load_probes` runs several probes on one pass of the encoder.

    Args:
        data: labelled texts, or sentences with a tag for each word: a file or a table.
        out: a folder for the probe (in `model/`), record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `layers` that has linear probes and no edge probes.

    Raises:
        BadInput: the data cannot be used, the model is no encoder, or `out` cannot be written.

    >>> probe("train.csv", "topic", label="topic")  # doctest: +SKIP
    """
    arguments = dict(locals())
    from wordworth.errors import BadInput

    if data is None:
        raise BadInput("no labelled texts are given", mend="give a file with --data")
    return _run(arguments, edges=False)


def _run(arguments: dict[str, Any], *, edges: bool) -> Record:
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(arguments["data"]) as (path,):
        settings = settings_from({**arguments, "data": path}, LayersSettings)
        return _answer(settings, arguments["out"], arguments["progress"], edges=edges)


def _answer(settings: LayersSettings, out: Path | str | None, progress: Progress, *, edges: bool) -> Record:
    from wordworth.studies.layers.study import STUDY, probe_layers
    from wordworth.studies.report_folder import ReportFolder

    folder = ReportFolder.of(out, STUDY.kind)
    target = None if settings.data is None else folder.model_folder()
    probed = probe_layers(settings, progress, edges=edges)
    if target is not None:
        probed.write_probe(target)
    return folder.write(probed.record)
