"""The look of backends: colours that everybody can see and tell apart, dashes, symbols."""

import itertools

import colorspacious
import pytest

from jitkernels.backends.table import BACKENDS
from jitkernels.charts import description, palette

LEAST_CONTRAST = 3.0  # WCAG 2.2, 1.4.11: what is needed to understand a graphic
LEAST_TEXT_CONTRAST = 4.5  # 1.4.3
LEAST_DIFFERENCE = 10.0  # in CAM02-UCS, where 1 is about what can be seen side by side
SIGHTS = [None, "deuteranomaly", "protanomaly"]
COLOURS = {backend.dialect: palette.style(name).colour for name, backend in BACKENDS.items()}


def luminance(colour: str) -> float:
    """Return WCAG's relative luminance."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts(colour)]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(colour: str, other: str) -> float:
    darker, lighter = sorted((luminance(colour), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def parts(colour: str) -> list[float]:
    return [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def difference(colour: str, other: str, sight: str | None) -> float:
    """Return the distance of two colours in CAM02-UCS for a person with that sight (Machado et al. 2009)."""
    colours = [parts(colour), parts(other)]
    if sight:
        space = {"name": "sRGB1+CVD", "cvd_type": sight, "severity": 100}
        colours = [colorspacious.cspace_convert(colour, space, "sRGB1") for colour in colours]
    return float(colorspacious.deltaE(*colours, input_space="sRGB1"))


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("dialect", COLOURS)
def test_a_line_is_visible_on_a_white_page_and_on_a_dark_one(dialect: str, theme: str) -> None:
    assert contrast(COLOURS[dialect], palette.THEMES[theme]["background"]) >= LEAST_CONTRAST


@pytest.mark.parametrize("theme", palette.THEMES.values(), ids=palette.THEMES)
def test_text_is_readable_on_both_pages(theme: dict[str, str]) -> None:
    for part in ("ink", "quiet"):
        assert contrast(theme[part], theme["background"]) >= LEAST_TEXT_CONTRAST


def test_the_measure_of_contrast_can_fail() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#000000", palette.THEMES["dark"]["background"]) < LEAST_CONTRAST
    assert contrast("#f0e442", palette.THEMES["light"]["background"]) < LEAST_CONTRAST


@pytest.mark.parametrize("sight", SIGHTS, ids=str)
@pytest.mark.parametrize("pair", list(itertools.combinations(COLOURS, 2)), ids="-".join)
def test_two_frameworks_have_colours_that_every_sight_tells_apart(pair: tuple[str, str], sight: str | None) -> None:
    one, other = (COLOURS[dialect] for dialect in pair)
    assert difference(one, other, sight) >= LEAST_DIFFERENCE


def test_the_measure_of_difference_can_fail() -> None:
    assert difference("#d55e00", "#7f8c00", None) > LEAST_DIFFERENCE > difference("#d55e00", "#7f8c00", "deuteranomaly")


def test_no_two_backends_look_alike() -> None:
    styles = [palette.style(name) for name in BACKENDS]
    assert len(set(styles)) == len(styles)


def test_backends_of_one_framework_differ_in_more_than_colour() -> None:
    for one, other in itertools.combinations(BACKENDS.values(), 2):
        if one.dialect == other.dialect:
            first, second = palette.style(one.name), palette.style(other.name)
            assert (first.colour == second.colour) and (first.dash, first.shape) != (second.dash, second.shape)


def test_an_interpreted_backend_is_marked_and_an_unknown_one_has_a_look() -> None:
    assert description.name_of("triton", True) == "triton (interpreted)"
    assert palette.style("triton (interpreted)").dash != palette.style("triton").dash
    assert palette.style("triton (interpreted)").colour == palette.style("triton").colour
    assert palette.style("gcc").colour
