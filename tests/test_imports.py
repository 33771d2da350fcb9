"""Imports of the package: no cycles among modules, and only declared dependencies."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "python/uplane"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())

# Imported where a user has it.
OPTIONAL = {"distributed", "pandas", "starlette", "uvicorn"}
# Commands, and what an optional import is tested with.
UNIMPORTED = {"mypy", "ruff", "pandas", "httpx2", "pytest-xdist"}

Graph = Mapping[str, set[str]]


def names_in(source: str) -> Iterator[str]:
    """All that is imported, at the top, in functions and for types alone."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def graph() -> Graph:
    """The modules of the package, each with those that it imports."""
    sources = {}
    for path in (*PACKAGE.rglob("*.py"), *PACKAGE.glob("*.pyi")):
        if "studies" not in path.parts:
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            sources[".".join(parts).removesuffix(".__init__")] = path.read_text()
    return {
        name: {_module(it, sources) for it in names_in(text)} - {"", name}
        for name, text in sources.items()
    }


def _module(name: str, modules: Mapping[str, str]) -> str:
    """The module that has the name: itself, or one around it."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name


def reached(start: str, modules: Graph) -> set[str]:
    """All that a module needs, itself too if it does."""
    found: set[str] = set()
    new = set(modules[start])
    while new:
        found |= new
        new = {module for it in new for module in modules[it]} - found
    return found


def circles(modules: Graph) -> list[str]:
    """The modules that need themselves."""
    return sorted(name for name in modules if name in reached(name, modules))


def test_a_circle_is_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]


def test_no_module_needs_itself() -> None:
    assert circles(graph()) == []


def third_party(folder: Path) -> set[str]:
    """Packages of others that Python files of a folder import."""
    tops = {
        name.partition(".")[0]
        for path in folder.rglob("*.py")
        for name in names_in(path.read_text())
    }
    own = {path.stem for path in (ROOT / "tests").iterdir()} | {"uplane"}
    return tops - own - set(sys.stdlib_module_names)


# Packages with another name than their modules.
MODULES = {
    "tree-sitter": "tree_sitter",
    "tree-sitter-rust": "tree_sitter_rust",
    "typing-extensions": "typing_extensions",
    "vl-convert-python": "vl_convert",
}


def declared(requirements: list[str]) -> set[str]:
    names = {re.split(r"[^\w-]", it)[0] for it in requirements}
    return {MODULES.get(name, name) for name in names}


def test_declared_dependencies_equal_imports() -> None:
    assert third_party(PACKAGE) - OPTIONAL == declared(PYPROJECT["project"]["dependencies"])


def test_the_developers_packages_are_used() -> None:
    used = third_party(ROOT / "tests") | third_party(ROOT / "tools")
    assert declared(PYPROJECT["dependency-groups"]["dev"]) - used == UNIMPORTED
