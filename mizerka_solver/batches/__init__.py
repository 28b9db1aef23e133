"""Batches: streams of deals over threads, processes and clusters; typed files that can be resumed."""
