"""Each chart as a Vega-Lite specification, built with Altair; ``pictures.spec`` returns it.

A specification has one named data set, "rows", which is empty: a page or a picture puts the rows in. It has no colours of
the page: text, background and grid come from ``palette.config(theme)``. The text ``{size}`` stands for the word for what a
kernel's size counts ("points"). A chart's views are ``width`` pixels wide, ``across`` of them side by side (``"columns"``);
a narrow page can replace both numbers. A specification has no legend for backends: a page has one of its own, with which
readers hide backends, and ``pictures`` adds one.

Expressions are only such as Vega's interpreter can run (``ast: true``), so a page with a Content-Security-Policy needs no
eval.
"""
