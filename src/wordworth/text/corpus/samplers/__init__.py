"""Ways of cutting a token store into pretraining sequences, one a file."""
