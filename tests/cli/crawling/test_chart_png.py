import struct
import zlib

from threadmill.cli.crawling.chart_png import _Canvas


def test_a_picture_has_its_points_where_they_were_put() -> None:
    canvas = _Canvas(40, 20)
    canvas.fill(10, 5, 100, 2, (1, 2, 3))  # wider than the picture
    assert canvas.write(0, 0, "1-") == 24
    file = canvas.png()
    assert file.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", file[16:24])
    assert (width, height) == (40, 20)
    start = file.index(b"IDAT") + 4
    rows = zlib.decompress(file[start : file.index(b"IEND") - 8])
    assert len(rows) == 20 * (1 + 40 * 3)
    row = rows[5 * 121 + 1 : 6 * 121]
    assert row[10 * 3 : 10 * 3 + 3] == row[-3:] == bytes((1, 2, 3))
