"""Zero-shot transfer of tags: sentences whose words are tagged, in several languages."""
