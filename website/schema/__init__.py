"""What site/data/*.json hold, as types; the JSON Schemas beside this file describe the same keys to other readers."""
