"""What is read: the published site."""
