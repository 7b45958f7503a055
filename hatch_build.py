"""Compiles the hot loops, the .pyx files in src, where there is a C compiler; elsewhere Python does them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src")


class CompileHotLoops(BuildHookInterface[Any]):
    """Puts one extension module beside each .pyx file, and says so when it cannot."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 -- hatchling's
        """Called before the wheel is put together, and before an editable installation."""
        root = Path(self.root)
        before = Path.cwd()
        os.chdir(root)
        try:
            compile_all(sorted(SOURCE.rglob("*.pyx")))
        except (Exception, SystemExit) as error:  # no compiler, no headers, a compiler that is too old
            self.app.display_warning(f"not compiled, Python alone will do the work, slower: {error}")
            return
        finally:
            os.chdir(before)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += ["*.so", "*.pyd"]


def compile_all(sources: list[Path]) -> None:
    """Compile those sources whose module is older than they are."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extensions = [
        Extension(
            ".".join(source.relative_to(SOURCE).with_suffix("").parts),
            [str(source)],
            # sums must come out as numpy makes them: no fused multiplication and addition
            extra_compile_args=[] if sys.platform == "win32" else ["-O3", "-g0", "-ffp-contract=off", "-w"],
        )
        for source in sources
    ]
    distribution = Distribution(
        {
            "name": "threadmill",
            "package_dir": {"": str(SOURCE)},
            "ext_modules": cythonize(
                extensions, include_path=[str(SOURCE)], build_dir="build/compiled", quiet=True
            ),
        }
    )
    command = build_ext(distribution)
    command.inplace = True
    command.build_temp = "build/compiled"
    command.parallel = os.cpu_count()
    command.ensure_finalized()
    command.run()
