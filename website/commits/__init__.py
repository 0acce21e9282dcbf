"""The commits' page as data: curves over commits from duets against an anchor, and the steps that direct duets confirm."""
