"""WordPress: articles with comments. PHP and MariaDB serve it, all from Debian."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from bench.engines.engine import CannotInstallError, DatabaseEngine, fill_script, need_program
from bench.engines.world import World

_SOURCE = Path("/usr/share/wordpress")
_THEME = "twentytwentyone"
_SETTINGS = """<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', 'localhost:{socket}');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('WP_HOME', '{root}');
define('WP_SITEURL', '{root}');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('WP_CONTENT_DIR', __DIR__ . '/wp-content');
$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
"""


class WordPress(DatabaseEngine):
    """Its comments answer comments and are shown on pages, the last one first."""

    name = "wordpress"
    shape = "articles: comments as a tree on pages, the newest page by default; lists by category and month"

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.database_place = home / "db.sock"

    def install(self) -> None:
        """From Debian, as a copy with a database of its own."""
        need_program("php", "php-cli")
        need_program("mariadbd", "mariadb-server")
        if not (_SOURCE / "wp-content/themes" / _THEME).exists():
            packages = ["wordpress", f"wordpress-theme-{_THEME}", "php-mysql"]
            words = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
            subprocess.run(words, capture_output=True, check=False)
        if not (_SOURCE / "wp-content/themes" / _THEME).exists():
            raise CannotInstallError("Debian does not give wordpress")
        for folder in ("app", "db"):
            shutil.rmtree(self.home / folder, ignore_errors=True)
        shutil.copytree(_SOURCE, self.home / "app", symlinks=False, ignore_dangling_symlinks=True)
        settings = _SETTINGS.format(socket=self.database_place, root=self.root)
        (self.home / "app/wp-config.php").unlink()
        (self.home / "app/wp-config.php").write_text(settings)
        self.run(["mariadb-install-db", "--user=root", f"--datadir={self.home / 'db'}"])

    def database_command(self) -> list[str]:
        """MariaDB on a socket."""
        words = ["mariadbd", "--no-defaults", "--user=root", "--skip-networking"]
        folder, pid = self.home / "db", self.home / "db.pid"
        return [*words, f"--socket={self.database_place}", f"--datadir={folder}", f"--pid-file={pid}"]

    def fill(self, world: World) -> None:
        """Categories, users, articles, comments."""
        with self.with_database():
            sql = "CREATE DATABASE IF NOT EXISTS wordpress CHARACTER SET utf8mb4"
            self.run(["mariadb", "--no-defaults", f"--socket={self.database_place}", "-u", "root", "-e", sql])
            script = fill_script("wordpress_fill.php")
            self.run(["php", script, self.home / "app", _THEME], json.dumps(world.as_json()))

    def command(self, port: int) -> list[str]:
        """PHP's server."""
        return ["php", "-S", f"127.0.0.1:{port}", "-t", str(self.home / "app")]
