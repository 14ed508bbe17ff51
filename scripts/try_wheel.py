"""Use the installed program as a new user would: its help, a quick verdict, vectors of a file.

    python scripts/try_wheel.py VENV/bin/wordworth

The data are made up here; nothing of the repository is imported. The exit code is 1 where a command fails or leaves no
result, and the program's own error is printed.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS, CLEAR = 300, 0.9
WORDS = {"yes": ["refund", "money", "back", "return", "broken"], "no": ["thanks", "great", "love", "fast", "happy"]}
COMMON = ["the", "order", "came", "in", "a", "box", "and", "I", "have", "it", "here", "with", "my", "name", "on", "it"]


def write_messages(path: Path) -> None:
    """Write `ROWS` labelled messages that any cheap model can tell apart in most cases."""
    draw = random.Random(0)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["text", "label"])
        for _ in range(ROWS):
            label = draw.choice(list(WORDS))
            words = draw.sample(COMMON, 8) + draw.sample(WORDS[label if draw.random() < CLEAR else "yes"], 2)
            table.writerow([" ".join(words), label])


def run(program: str, *arguments: str, folder: Path) -> str:
    """Run the program in a folder and return what it prints; leave with its error where it fails."""
    result = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"wordworth {' '.join(arguments)}: exit code {result.returncode}\n{result.stderr}")
    return result.stdout


def main(program: str) -> None:
    """Run each command and see that its result is there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_messages(folder / "messages.csv")
        if "worth" not in run(program, "--help", folder=folder):
            sys.exit("wordworth --help names no command")
        run(program, "worth", "messages.csv", "--quick", "--out", "study", folder=folder)
        record = json.loads((folder / "study" / "record.json").read_text(encoding="utf-8"))
        page = (folder / "study" / "report.html").read_text(encoding="utf-8")
        if not record["tables"]["ladder"] or "</html>" not in page:
            sys.exit("wordworth worth --quick left no ladder or no page")
        run(program, "embed", "messages.csv", "--out", "vectors.npy", folder=folder)
        if (folder / "vectors.npy").stat().st_size < ROWS * 4:
            sys.exit("wordworth embed left no vectors")
    print("the installed program helps, judges and embeds")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path, help="the installed program, such as VENV/bin/wordworth")
    main(str(parser.parse_args().program.absolute()))
