"""Each chart as a Vega-Lite specification, built with Altair; ``pictures.spec`` returns it.

A specification has one empty data set, "rows", which a page or a picture fills. It lacks the colours of text, background and
grid: they come from ``palette.config(colours)``. The text ``{size}`` stands for the word for what a kernel's size counts
("points"). A chart's views are ``width`` pixels wide, and ``across`` of them are side by side (``"columns"``); a narrow page
can replace both numbers. A specification has no legend for backends: a page has its own, with which readers hide backends,
and ``pictures`` adds one.

Vega's interpreter (``ast: true``) can run all expressions, so a page's Content-Security-Policy need not allow eval.
"""
