from tools.docs_examples import fence_examples


def test_an_example_and_its_output_stand_in_one_fence() -> None:
    text = "Add.\n\n>>> 1 + 1\n2\n>>> 2 + 2\n4\n\nMore."
    assert fence_examples(text) == "Add.\n\n```pycon\n>>> 1 + 1\n2\n>>> 2 + 2\n4\n```\n\nMore."


def test_an_example_at_the_end_is_closed() -> None:
    assert fence_examples(">>> 1\n1") == "```pycon\n>>> 1\n1\n```"


def test_text_without_an_example_stays_as_it_is() -> None:
    assert fence_examples("Only\n\ntext.") == "Only\n\ntext."
