"""docs/tasks.md says of every named task what its file says."""

from pathlib import Path

import pytest

from wordworth.tasks.datasets import find_dataset_spec, names

PAGE = (Path(__file__).parents[2] / "docs" / "tasks.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names())
def test_the_page_tells_of_each_task_its_kind_folders_files_and_hub(name):
    (row,) = [line for line in PAGE.splitlines() if line.startswith("|") and f"`{name}`" in line.split("|")[1]]
    task = find_dataset_spec(name)
    assert f"| {task.kind} |" in row
    assert any(f"`{folder}`" in row for folder in task.folders)
    for part in task.part_names:
        files = task.layouts[0].names(part)
        assert all(f"`{file}`" in row or "<name>" in row or part not in task.layouts[0].files for file in files)
    assert all(f"`{layout.hub}`" in row for layout in task.layouts if layout.hub)
    if task.held_out in task.sizes and name != "codah":
        assert f"{task.sizes[task.held_out]:,}" in row
