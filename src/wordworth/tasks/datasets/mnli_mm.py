"""MNLI, mismatched: does one sentence follow from another, in genres new to training? Williams et al. 2018."""

from wordworth.tasks.datasets.mnli import mnli

TASK = mnli("mnli_mm", "Does the second sentence follow from the first? (Genres new to training)", "mismatched", 9832)
