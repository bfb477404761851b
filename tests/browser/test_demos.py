"""Every demo turns live and answers each of its controls."""

import pytest

from tests.browser.reader import demos_by_page

SHOWN = [(page, name) for page, names in demos_by_page().items() for name in names]


def shown(figure):
    """Return all that a demo shows: numbers, verdict and picture."""
    return figure.evaluate(
        """(figure) => ({
            numbers: [...figure.querySelectorAll('output')].map((o) => o.value),
            verdict: figure.querySelector('.verdict').textContent,
            picture: [...figure.querySelectorAll('[data-layout]')].find((p) => p.offsetParent).innerHTML,
        })"""
    )


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_every_demo_turns_live_and_answers_each_control(reader, page, name):
    """Each control, moved to its ends, changes numbers and verdict, and some change the picture too."""
    reader.open(page)
    figure = reader.wake(name)
    first, redrawn = shown(figure), 0
    for control in figure.locator(".control:visible [data-first]").all():
        key = control.get_attribute("name")
        seen = []
        for move in moves(control):
            for action in (figure.locator("[name=reset]").click, move):
                count = len(reader.frames(name))
                action()
                reader.settled(name, count)
            assert reader.frames(name)[-1]["source"] == "live"
            seen.append(shown(figure))
        for part in ("numbers", "verdict"):
            assert any(state[part] != first[part] for state in seen), f"{key} never changes the {part}"
        redrawn += any(state["picture"] != first["picture"] for state in seen)
    assert redrawn, "no control changes the picture"


def moves(control):
    """Return the ways to move a control: a slider to its ends, a choice to its options, a box by a press."""
    kind = control.evaluate("(c) => c.type")
    if kind == "range":
        ends = control.evaluate(
            "(c) => [+c.value === +c.min ? null : 'Home', +c.value === +c.max ? null : 'End']"
        )
        return [lambda key=key: control.press(key) for key in ends if key]
    if kind == "checkbox":
        return [lambda: control.press("Space")]
    others = control.evaluate("(c) => [...c.options].map((o) => o.value).filter((o) => o !== c.value)")
    return [lambda option=option: control.select_option(option) for option in others]


def test_a_slider_answers_the_mouse(reader):
    """A click on the slider's track moves it there, and the demo follows."""
    reader.open("why-bugs-hide.html")
    figure = reader.wake("bias_update")
    count = len(reader.frames("bias_update"))
    slider = figure.locator("[name=steps]")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] * 0.9, "y": box["height"] / 2})
    reader.settled("bias_update", count)
    assert reader.frames("bias_update")[-1]["values"]["steps"] > 450


def test_an_exact_number_is_taken_as_typed(reader):
    """The number beside a slider sets values between its stops; what is out of range is brought back."""
    reader.open("why-bugs-hide.html")
    figure = reader.wake("bias_update")
    box = figure.locator(".control:has([name=learning_rate]) [data-exact]")
    for typed, taken in (("0.0123", 0.0123), ("99", 1.0)):
        count = len(reader.frames("bias_update"))
        box.fill(typed)
        box.press("Enter")
        reader.settled("bias_update", count)
        assert reader.frames("bias_update")[-1]["values"]["learning_rate"] == taken
        assert float(box.input_value()) == taken


def test_presets_reset_and_undo(reader):
    """A preset sets its values; reset goes back to the first state, and can itself be taken back."""
    reader.open("why-bugs-hide.html")
    figure = reader.wake("bias_update")
    rule = figure.locator("[name=rule]")
    first = rule.input_value()
    figure.get_by_role("button", name="The fix").click()
    assert rule.input_value() == "gradient"
    assert figure.get_by_role("button", name="The fix").get_attribute("aria-pressed") == "true"
    figure.locator("[name=reset]").click()
    assert rule.input_value() == first
    figure.get_by_role("button", name="Undo reset").click()
    assert rule.input_value() == "gradient"


def test_a_link_brings_the_state_back(reader, new_reader):
    """The link of a state opens that state in another browser, and nonsense in a link is passed over."""
    reader.open("why-bugs-hide.html")
    figure = reader.wake("bias_update")
    figure.locator("[name=steps]").press("Home")
    link = figure.locator(".state-link").get_attribute("href")
    other = new_reader(root=reader.root.rstrip("/"))
    other.open(link.replace("input_mean=", "input_mean=<b>nonsense</b>"))
    other.wake("bias_update")
    values = other.frames("bias_update")[-1]["values"]
    assert values["steps"] == 10
    assert values["input_mean"] == 1.0


def test_the_table_follows_the_picture(reader):
    """The data table holds the numbers of the frame on show."""
    reader.open("why-bugs-hide.html")
    figure = reader.wake("bias_update")
    figure.locator("details.data summary").click()
    count = len(reader.frames("bias_update"))
    figure.locator("[name=steps]").press("Home")
    reader.settled("bias_update", count)
    assert figure.locator("details.data tbody tr").count() == 22
