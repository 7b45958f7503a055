import pytest

from threadmill.errors import UsageError
from threadmill.lab.simulate.random_forum.choices import choice_names, describe, draw_choices, options_of


def test_a_seed_draws_the_same_choices_again_and_another_seed_others() -> None:
    assert draw_choices(3) == draw_choices(3)
    assert draw_choices(3) != draw_choices(4)


def test_a_given_choice_is_kept_and_does_not_change_the_others() -> None:
    free, fixed = draw_choices(3), draw_choices(3, shape="imageboard")
    assert fixed.shape == "imageboard"
    others = [name for name in choice_names() if name != "shape"]
    assert [getattr(free, name) for name in others] == [getattr(fixed, name) for name in others]


def test_an_unknown_choice_or_value_is_named_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no choice 'colour'; expected one of shape"):
        draw_choices(1, colour="red")
    with pytest.raises(UsageError, match="shape has no value 'round'; expected one of flat"):
        draw_choices(1, shape="round")


def test_every_value_is_drawn_by_some_seed_about_as_often_as_its_weight_says() -> None:
    drawn = [draw_choices(seed).shape for seed in range(400)]
    options = options_of("shape")
    whole = sum(weight for weight, _ in options.values())
    for value, (weight, _) in options.items():
        assert drawn.count(value) == pytest.approx(400 * weight / whole, rel=0.6)


def test_every_choice_is_described_in_words() -> None:
    lines = describe(draw_choices(1))
    assert [name for name, _, _ in lines] == choice_names()
    assert all(phrase for _, _, phrase in lines)
