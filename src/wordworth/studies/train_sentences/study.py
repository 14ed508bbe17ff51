"""`train-sentences` from a file of texts to a model folder and a `Record`; a training that was stopped is resumed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wordworth.files import content_key, filling_folder, require_outside
from wordworth.folder_lock import alone_in
from wordworth.json_file import parse_json
from wordworth.models.devices import device_of
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.prompts import prompts_by_role
from wordworth.models.save_encoder import write_encoder
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import SILENT, Progress
from wordworth.records import RECORD, Record, read
from wordworth.sources import resolve, short_name
from wordworth.studies.study import file_name, make_record, source_facts
from wordworth.studies.train_sentences.findings import findings
from wordworth.studies.train_sentences.tables import tables_of
from wordworth.studies.training_folder_checks import TRAINING, require_own_or_free, require_same
from wordworth.training.pretraining.run_identity import CHECKPOINTS
from wordworth.training.process_groups import processes
from wordworth.training.sentences.losses import LOSSES
from wordworth.training.sentences.read_data import SentenceData, read_data
from wordworth.training.sentences.run import SentenceTrainingResult, open_encoder, train
from wordworth.training.sentences.settings import SentenceTrainingSettings

KIND = "train_sentences"
_WEIGHTS = "model.safetensors"


def run(settings: SentenceTrainingSettings, data: Path, out: Path, progress: Progress) -> Record:
    """Train a model, or resume the training in a folder, and write the model with its record.

    If the training in the folder has ended, its record is read and nothing is computed. Under torchrun, all processes
    share each batch, and the first process writes for all.

    Args:
        settings: settings of the training.
        data: the file of rows.
        out: the folder to write.
        progress: receives progress and messages.

    Raises:
        BadInput: the rows lack what the loss needs, or the folder holds other files or another training.
    """
    with processes(device_of(settings.device)) as group:
        writes = group.rank == 0
        read_models = (settings.model, settings.teacher, settings.negatives_from)
        require_outside(out, *(model for model in read_models if model is not None))
        folder = require_own_or_free(out, KIND) if writes else None
        heard = progress if writes else SILENT
        rows = read_data(data, settings, LOSSES.get(settings.loss), heard)
        encoder, training = open_encoder(settings), out / TRAINING
        with alone_in(training, waits=False) if writes else nullcontext():
            if writes:
                require_same(_identity(settings, rows, encoder), training)
            if group.broadcast((out / _WEIGHTS).exists() and (out / RECORD).exists()):
                heard.note(f"{out}: this training has ended already")
                return group.broadcast(read(out / RECORD))
            result = train(settings, rows, encoder, training / CHECKPOINTS, heard, processes=group)
            record = _record(settings, rows, result, file_name(data))
            if folder is not None:
                record = folder.write(record)
                with filling_folder(out) as part:
                    write_encoder(result.encoder, part)
                shutil.rmtree(training / CHECKPOINTS, ignore_errors=True)
        return group.broadcast(record)


def _identity(settings: SentenceTrainingSettings, rows: SentenceData, encoder: TextEncoder) -> Mapping[str, Any]:
    """Return the settings and hashes that decide the trained weights, as JSON values."""
    other = {"save_every", "dev", "model", "negatives_from", "layers", "teacher", "query_prompt", "document_prompt"}
    deciding = {name: value for name, value in asdict(settings).items() if name not in other}
    if settings.teacher is not None:
        deciding["teacher"] = [*resolve(settings.teacher, hash_whole=True).sha256.values()]
    if settings.negatives_from is not None:
        deciding["third_texts"] = content_key(*rows.train.third)
    if by_role := prompts_by_role(encoder):
        deciding["prompts"] = by_role
    files = [table.origin.sha256 for table in (rows.train, rows.dev) if table is not None]
    share = settings.dev_share
    facts = {"kind": KIND, **deciding, "dev": share, "model": fingerprint(encoder), "rows": files}
    return parse_json(json.dumps(facts, default=str))  # type: ignore[no-any-return]  # an object


def _record(
    settings: SentenceTrainingSettings, data: SentenceData, result: SentenceTrainingResult, name: str | None
) -> Record:
    facts = {
        "name": name,
        "model": short_name(settings.model),
        "rows": len(data.train),
        "dev": 0 if data.dev is None else len(data.dev),
        "classes": list(data.classes),
        "judged_by": None if data.dev is None else "loss" if data.scores is None else "spearman",
        "sources": source_facts(rows.origin for rows in (data.train, data.dev) if rows is not None),
    }
    chosen, others = asdict(result.config), {"negatives_from": settings.negatives_from, "teacher": settings.teacher}
    return make_record(
        KIND,
        {
            **asdict(settings),
            **{each: chosen[each] for each in ("batch_size", "learning_rate", "steps")},
            "dev": settings.dev_share if settings.dev_file is None else file_name(settings.dev_file),
            "model": short_name(settings.model),
            **{name: None if model is None else short_name(model) for name, model in others.items()},
        },
        facts,
        tables=tables_of(result, str(facts["judged_by"])),
        findings=findings(settings, data, result),
        seconds={"training": round(result.seconds, 3)},
    )
