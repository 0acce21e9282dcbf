"""What the duets of several machines say about one step. Seconds of two machines are never compared."""
