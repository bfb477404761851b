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
    """Mouse and keyboard move each control, and each move changes what is shown."""
    reader.open(page)
    figure = reader.wake(name)
    for control in figure.locator(".control:visible [name]").all():
        key = control.get_attribute("name")
        figure.locator("[name=reset]").click()
        reader.page.wait_for_timeout(50)
        before, count = shown(figure), len(reader.frames(name))
        move(control)
        reader.settled(name, count)
        newest = reader.frames(name)[-1]
        assert newest["source"] == "live"
        values = figure.evaluate("(f) => frames_seen.filter((x) => x.demo === f.dataset.demo).at(-1).values")
        assert str(values[key]) != str(first_value(control)), f"{key} did not move"
        assert shown(figure) != before, f"{key} changes nothing that is shown"


def first_value(control):
    first = control.get_attribute("data-first")
    return {"true": True, "false": False}.get(first, first)


def move(control):
    """Move a control as a reader would: a slider by keyboard, well away from where it stands."""
    kind = control.evaluate("(c) => c.type")
    control.focus()
    if kind == "range":
        low, high, value = (float(control.evaluate(f"(c) => c.{p}")) for p in ("min", "max", "value"))
        control.press("Home" if value - low > high - value else "End")
    elif kind == "checkbox":
        control.press("Space")
    else:
        chosen = control.input_value()
        options = control.evaluate("(c) => [...c.options].map((o) => o.value)")
        control.select_option(next(o for o in options if o != chosen))


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
