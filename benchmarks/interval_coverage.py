"""How often nominal 95 % intervals hold the true difference of two simulated systems, by method and number of runs.

    python benchmarks/interval_coverage.py            # 1,000 repeats a cell
    python benchmarks/interval_coverage.py 200        # a quicker look

Between 931 and 967 of 1,000 is what chance allows a true 95 % (99 % band).
"""

from __future__ import annotations

import argparse

import numpy as np

from simulated_coverage import Design, coverage, percentiles, resampled
from wordworth.cli.scripts import run_script
from wordworth.measures.bootstrap import crossed, crossed_interval, items_only, runs_only

METHODS = {
    "items only": percentiles(items_only),
    "runs only": percentiles(runs_only),
    "hierarchical": percentiles(resampled),
    "crossed": percentiles(crossed),
    "corrected": crossed_interval,
}
DESIGNS = {
    "3 runs": Design(runs=3),
    "5 runs": Design(runs=5),
    "10 runs": Design(runs=10),
    "5 runs, advantage 0.4": Design(runs=5, advantage=0.4),
    "10 runs, advantage 0.4": Design(runs=10, advantage=0.4),
    "5 runs that do not differ": Design(runs=5, run_spread=0.0),
    "3 runs, 2,000 items": Design(runs=3, items=2000),
    "5 runs, 2,000 items": Design(runs=5, items=2000),
    "10 runs, 2,000 items": Design(runs=10, items=2000),
    "5 runs, 100 items": Design(runs=5, items=100),
}


def main() -> None:
    """Print one line for each design, one column for each method."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repeats", type=int, nargs="?", default=1000, help="comparisons a cell [default: 1000]")
    repeats = parser.parse_args().repeats
    print(f"{repeats} repeats, 500 items unless said, numpy {np.__version__}")
    print(f"{'':28}" + "".join(f"{name:>14}" for name in METHODS))
    for name, design in DESIGNS.items():
        shares = coverage(design, METHODS, repeats, np.random.default_rng(0))
        print(f"{name:28}" + "".join(f"{share:14.3f}" for share in shares.values()))


if __name__ == "__main__":
    run_script(main)
