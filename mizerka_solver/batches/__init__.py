"""Batches: streams of deals over threads, processes and clusters; files that grow, and are gone on with."""
