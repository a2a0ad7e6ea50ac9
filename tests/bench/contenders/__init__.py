"""Every contender there is: the subclasses in the files of this folder, in order of file name and definition."""

from importlib import import_module
from pkgutil import iter_modules

from ..contender import Contender, Installed


def contenders() -> dict[str, type[Contender]]:
    """The contenders by name."""
    modules = [import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__)]
    found = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    return {kind.name: kind for kind in found if issubclass(kind, Contender) and kind not in (Contender, Installed)}
