"""`wordworth` over a ladder of made-up rungs, as a process of its own that can be interrupted or starved.

python -m tests.faults.made_up_study LOG worth data.csv --out run

Each expensive fit takes a while and leaves a line in LOG. The third waits for a file LOG.go, a minute at most.
"""

from __future__ import annotations

import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.studies.fake_ladder import MAJORITY, FakeLearner, FakeRung, constant

from wordworth.cli import entry_point
from wordworth.studies.worth import rungs as rungs_module
from wordworth.studies.worth import running_costs

STOPPED_AT = 3


@dataclass(frozen=True)
class SlowLearner(FakeLearner):
    log: Path

    def fingerprint(self):
        return "weights"

    def fit(self, rows, rng):
        time.sleep(0.3)
        with self.log.open("a") as file:
            file.write(f"{len(rows)}\n")
        self.wait()
        return super().fit(rows, rng)

    def wait(self):
        """Wait at the third fit, so that a stop comes in the middle of the work on a machine of any speed."""
        until = time.monotonic() + 60
        while len(self.log.read_text().splitlines()) == STOPPED_AT and time.monotonic() < until:
            if self.log.with_suffix(".go").exists():
                return
            time.sleep(0.02)


@dataclass(frozen=True)
class SlowRung(FakeRung):
    log: Path = Path()

    def prepare(self, task, run_context):  # noqa: ARG002 - a Rung
        return SlowLearner(self, task, self.log)


def run(log: Path) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
    rungs = [MAJORITY, FakeRung("tfidf", "counts", constant(0.7))]
    slow = SlowRung("bert", "finetuned", constant(0.95), log=log)
    rungs_module.default_ladder = lambda *_, **__: [*rungs, slow]
    running_costs._SECONDS = 0.01
    entry_point.run()


if __name__ == "__main__":
    run(Path(sys.argv.pop(1)))
