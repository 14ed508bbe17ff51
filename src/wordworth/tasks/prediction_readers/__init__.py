"""Read predictions for a part of a named task from a file and match the predictions with the part's examples."""
