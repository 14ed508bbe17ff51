"""Zero-shot transfer of dependency parsers: treebanks in several languages."""
