"""Small treebanks in made languages: `bb` is `aa` with other words, `cc` has its words in the reverse order too."""

from tests.studies.syntax.small_treebank import conllu


def reversed_text(text):
    """A treebank with the words of every sentence in the reverse order."""
    made = []
    for sentence in text.split("\n\n"):
        marks = [line for line in sentence.split("\n") if line.startswith("#")]
        words = [line.split("\t") for line in sentence.split("\n") if "\t" in line]
        for number, word in enumerate(reversed(words), start=1):
            head = int(word[6])
            columns = [str(number), word[1][::-1], *word[2:6], str(head and len(words) + 1 - head), *word[7:]]
            marks.append("\t".join(columns))
        made.append("\n".join(marks))
    return "\n\n".join(made) + "\n"


def write_folder(folder, sentences=60, marks=()):
    folder.mkdir(exist_ok=True)
    text = conllu(sentences, marks)
    files = {"aa": text, "bb": text.replace("\tthe\t", "\tle\t").replace("\ta\t", "\tun\t"), "cc": reversed_text(text)}
    for language, of_language in files.items():
        (folder / f"{language}.conllu").write_text(of_language, encoding="utf-8")
    return folder
