"""Settings become a `Record`: one room per question asked."""
