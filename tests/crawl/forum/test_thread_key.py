from threadmill.crawl.forum.knowledge import find_naming_parameters, make_thread_key

ROWS = [f"http://f.example/f.php?mod=view&tid={n}&extra=page%3D1" for n in (14, 15, 16)]


def test_what_differs_between_rows_names_the_thread() -> None:
    assert find_naming_parameters(ROWS) == frozenset({"tid"})
    assert find_naming_parameters([f"http://f.example/t/{n}/" for n in range(5)]) == frozenset()
    assert find_naming_parameters(ROWS[:2]) is None


def test_a_thread_keeps_its_name_when_it_moves_to_another_index_page() -> None:
    naming = find_naming_parameters(ROWS)
    moved = "http://f.example/f.php?mod=view&tid=14&extra=page%3D7"
    assert make_thread_key(moved, naming) == make_thread_key(ROWS[0], naming)
    assert make_thread_key(moved, naming) != make_thread_key(ROWS[1], naming)


def test_without_knowledge_the_whole_url_is_the_name() -> None:
    assert make_thread_key(ROWS[0], None) != make_thread_key(ROWS[0].replace("%3D1", "%3D2"), None)
