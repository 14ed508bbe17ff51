"""A small treebank of sentences whose trees their words decide."""

NOUNS = ["cat", "dog", "bird", "child", "teacher", "doctor"]
VERBS = ["saw", "liked", "heard", "found", "met"]


def conllu(sentences=60, marks=()):
    """The text of a treebank in CoNLL-U; sentences whose numbers are in `marks` begin a document."""
    lines = []
    for number in range(sentences):
        subject, verb, other = NOUNS[number % 6], VERBS[number % 5], NOUNS[(number + number // 6 + 1) % 6]
        words = [("the", 2, "det"), (subject, 3, "nsubj"), (verb, 0, "root"), ("a", 6, "det"), ("small", 6, "amod")]
        words += [(other, 3, "obj")]
        if number % 2:
            words += [("and", 8, "cc"), ("ran", 3, "conj:and"), ("away", 8, "advmod")]
        words += [(".", 3, "punct")]
        lines += ["# newdoc"] * (number in marks)
        for number_of_word, (word, head, relation) in enumerate(words, start=1):
            lines.append("\t".join([str(number_of_word), word, "_", "_", "_", "_", str(head), relation, "_", "_"]))
        lines.append("")
    return "\n".join(lines)
