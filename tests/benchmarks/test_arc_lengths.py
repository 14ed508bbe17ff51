"""What stands for the arc lengths of a treebank is read from its texts, and compared by ranks."""

import numpy as np
import pytest

from arc_lengths import correlations, sentences

TREES = """# text = It rained.
1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_
2\trained\train\tVERB\t_\t_\t0\troot\t_\t_
3\t.\t.\tPUNCT\t_\t_\t2\tpunct\t_\t_

# text = The cat of theirs slept.
1\tThe\tthe\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\t_\t_\t5\tnsubj\t_\t_
3\tof\tof\tADP\t_\t_\t4\tcase\t_\t_
4\ttheirs\ttheirs\tPRON\t_\t_\t2\tnmod\t_\t_
5\tslept\tsleep\tVERB\t_\t_\t0\troot\t_\t_
6\t.\t.\tPUNCT\t_\t_\t5\tpunct\t_\t_

"""


def test_the_text_of_a_sentence_stands_beside_the_mean_length_of_its_arcs(tmp_path):
    path = tmp_path / "trees.conllu"
    path.write_text(TREES)
    texts, lengths = sentences(path)
    assert texts == ["It rained.", "The cat of theirs slept."]
    assert lengths.tolist() == [1.0, (1 + 3 + 1 + 2 + 1) / 5]


def test_what_length_alone_tells_is_gone_with_length_held_fixed():
    rng = np.random.default_rng(0)
    length, luck = rng.normal(size=(2, 2_000))
    weights = np.vstack([np.ones(2_000), rng.multinomial(2_000, [1 / 2_000] * 2_000, 200)])
    figures = correlations(length + luck, length + rng.normal(size=2_000), length, weights)
    assert figures["correlation"]["value"] == pytest.approx(0.48, abs=0.06)
    assert figures["beyond_length"]["value"] == pytest.approx(0, abs=0.06)
    assert figures["beyond_length"]["low"] < 0.02
