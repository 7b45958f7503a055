"""Compiles the native code (the .pyx files in src) when the package is built.

Without a C compiler the package is built all the same, and its twins in Python do the work. With the
environment variable THREADMILL_NATIVE=required a missing compiler is an error; wheels are built so.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCE = Path("src")
MICROSOFT = ["/O2", "/fp:precise"]
OTHERS = ["-O3", "-g0", "-ffp-contract=off", "-w"]


class CompileNativeCode(BuildHookInterface[Any]):
    """Puts one extension module beside each .pyx file, or says why it cannot."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 -- hatchling's
        """Hatchling calls this before it puts a wheel together, and before an editable installation."""
        root = Path(self.root)
        before = Path.cwd()
        os.chdir(root)
        try:
            compile_all(sorted(SOURCE.rglob("*.pyx")))
        except (Exception, SystemExit) as error:  # no compiler, no headers, a compiler that is too old
            if os.environ.get("THREADMILL_NATIVE") == "required":
                raise
            self.app.display_warning(f"native code was not built, Python does its work more slowly: {error}")
            return
        finally:
            os.chdir(before)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += ["*.so", "*.pyd"]


def compile_all(sources: list[Path]) -> None:
    """Compile each source whose extension is missing or older than the source."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    extensions = [
        Extension(
            ".".join(source.relative_to(SOURCE).with_suffix("").parts),
            [str(source)],
            # No fused multiplication and addition: sums must be those of numpy, to the last bit.
            extra_compile_args=MICROSOFT if sys.platform == "win32" else OTHERS,
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
