"""`store_outputs_by_ray`: a teacher's outputs for the training texts, computed by the workers of a Ray cluster.

The texts are divided into blocks. This process sends the blocks that the disk cache lacks to the workers, each of which
has read the teacher once, and writes their outputs to the cache. Keys and bytes are the same as without Ray.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.ray_tasks import results_by_ray
from wordworth.progress import Step
from wordworth.studies.distill.student_runs import TeacherAndStudent
from wordworth.training.distillation.methods import Method
from wordworth.training.distillation.teacher_outputs import BlockOutputs, TeacherReader, TextBlock
from wordworth.training.finetuning.tokenized_examples import TokenizedExamples


def store_outputs_by_ray(pair: TeacherAndStudent, method: Method, inputs: TokenizedExamples, step: Step) -> None:
    """Compute the teacher's outputs for texts on a Ray cluster, and write them to the disk cache.

    Texts are computed in blocks; blocks that the cache already has are not computed again.

    Args:
        pair: the teacher and its student before training.
        method: the method of distillation, which says what outputs it learns from.
        inputs: the tokenized texts.
        step: advanced by the number of texts of each block.

    Raises:
        MissingExtra: Ray is not installed.
        BadInput: the outputs would take too much memory, a worker lacks the teacher or has another one, or workers die
            again and again.
    """
    reader = pair.reader(method)
    key = reader.key()
    missing = reader.missing(key, inputs)
    step.skip(len(inputs) - sum(len(block.inputs) for block in missing))
    if not missing:  # no cluster is started for nothing
        return
    shared = (str(Path(pair.name).resolve()), pair.layers, method, key)
    for block, outputs in results_by_ray(missing, _outputs, shared, rows_of=_rows):
        reader.store(key, block, outputs)
        step.advance(len(block.inputs))


def _rows(block: TextBlock) -> range:
    return range(block.first, block.first + len(block.inputs))


def _outputs(block: TextBlock, run: str, layers: int, method: Method, key: str) -> BlockOutputs:
    """Return the teacher's outputs for a block of texts; this function runs in a worker.

    It raises BadInput if the worker's own cache key is not `key`: its teacher or its kernel is then another one.
    """
    reader, own_key = _reader_and_key(run, layers, method)
    if own_key != key:
        what = "a worker has another teacher there, or computes by another kernel or version of Wordworth"
        raise BadInput(what, where=run, mend="give workers the same folder, and machines of one kind")
    return reader.computed(block.inputs)


@lru_cache(maxsize=1)
def _reader_and_key(run: str, layers: int, method: Method) -> tuple[TeacherReader, str]:
    """Return the `TeacherReader` of a teacher and its cache key; both are kept in memory for the next block."""
    reader = TeacherAndStudent(read_run(run), run, layers).reader(method)
    return reader, reader.key()
