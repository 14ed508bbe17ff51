"""What a language model is trained to say of text, one file an objective."""
