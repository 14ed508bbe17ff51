"""Samplers: ways of cutting a token store into pretraining sequences, one in each file."""
