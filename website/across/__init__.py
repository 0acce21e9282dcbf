"""What the duets of several machines say of one step. Seconds of two machines are never compared."""
