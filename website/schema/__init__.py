"""What site/data/*.json hold, as types, and the JSON Schemas that follow from them."""
