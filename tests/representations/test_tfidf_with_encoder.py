"""The rung of n-gram counts beside an encoder."""

from dataclasses import replace

import numpy as np

from wordworth.array_cache import ArrayCache
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf_with_encoder import Hybrid
from wordworth.tasks.task import Examples
from wordworth.testing.sample_tasks import sample_task


def test_the_hybrid_learns_what_only_counts_can_tell(tiny_folder, tmp_path):
    task = sample_task("single", size=150)
    foreign = task.labels == 0  # both words are [UNK] to the encoder
    texts = tuple(f"{text} {'δεζ' if one else 'αβγ'}" for text, one in zip(task.examples.first, foreign, strict=True))
    task = replace(task, examples=Examples(texts), labels=foreign.astype(np.int64), classes=("no", "yes"))
    scores = {}
    for rung in (Frozen(tiny_folder), Hybrid(tiny_folder)):
        learner = rung.prepare(task, RunContext(ArrayCache(tmp_path)))
        said = learner.fit(task.train, np.random.default_rng(0)).predict(task.test)
        scores[rung.family] = np.mean(said.argmax(1) == task.labels[task.test])
    assert scores["hybrid"] > 0.95 > scores["frozen"]
