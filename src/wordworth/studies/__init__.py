"""Studies: settings become a `Record`; one folder per question asked."""
