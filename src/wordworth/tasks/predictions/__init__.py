"""Read predictions for a part of a named task from a file and match them with its examples."""
