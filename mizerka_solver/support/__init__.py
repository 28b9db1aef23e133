"""What knows no cards: one-line errors, limits, statistics, jobs shared among workers, other people's programs."""
