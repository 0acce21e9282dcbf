"""What several machines say: their duets about one step, their rankings about rivals. Seconds of two are never compared."""
