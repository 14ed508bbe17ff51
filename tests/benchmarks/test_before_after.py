"""Two states of the code are timed by turns, each importing its own modules."""

import before_after


def tree(folder, name):
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "state_of_the_code.py").write_text(f"NAME = {name!r}\n")
    return folder


def test_each_state_runs_its_own_code_by_turns(tmp_path):
    log, inputs = tmp_path / "log", tmp_path / "inputs"
    inputs.mkdir()
    (inputs / "texts.txt").write_text("a text\n")
    script = f"import state_of_the_code as s; open('texts.txt').read(); open({str(log)!r}, 'a').write(s.NAME + ' ')"
    folders = {name: tree(tmp_path / name, name) for name in ("old", "new")}
    figures = before_after.compared(("-c", script), folders, inputs, 2)
    assert log.read_text().split() == ["old", "new", "new", "old"]
    assert set(figures) == {"clock", "processor"}
    assert all(each["times_faster"].median > 0 for each in figures.values())


def test_commands_find_the_tokenizer_among_the_inputs(tmp_path):
    (tmp_path / "tokenizer").mkdir()
    before_after.Tree(tree(tmp_path / "tree", "new")).run(("-c", "import os; os.listdir('INPUTS/tokenizer')"), tmp_path)
