"""What tests of fine-tuning share: settings of brief runs, and tasks."""

from dataclasses import replace

import numpy as np

from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.run_result import HyperParameters
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.finetuning.worker_pool import WorkerSpec

BRIEF = {"restarts": 2, "learning_rate": 3e-3, "epochs": 3, "dev": 0.2, "processes": 1}


LONGER = {**BRIEF, "epochs": 7, "learning_rate": 2e-3}


POINT = HyperParameters(learning_rate=1e-4, batch_size=16, epochs=3)


def plain(record) -> str:
    return replace(record, timings={}, environment={}).to_json()


def mostly_one_class():
    """The prior of so common a class outweighs what untrained layers say of any text."""
    task = sample_task("single")
    return replace(task, labels=np.where(np.arange(len(task.labels)) % 10 < 9, 0, task.labels))


def order_of(encoder, folder):
    task, settings = sample_task("single"), FinetuneSettings(model=encoder, dev=0.0)
    return WorkerSpec(settings, task, dev_split(task, settings.dev, settings.seed), folder)
