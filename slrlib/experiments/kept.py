"""Where the numbers of an experiment are kept, and whether a file is really theirs."""

from pathlib import Path

from slrlib import store


def path_of(experiment, folder):
    """The file of ``experiment`` in ``folder``; its name changes with any of its numbers."""
    return Path(folder) / f"{experiment.name}-{experiment.fingerprint()}.npz"


def find(experiment, folder):
    """(arrays, header) of the file of ``experiment``; None without a folder or such a file."""
    if folder is None or not path_of(experiment, folder).exists():
        return None
    arrays, header = store.load(path_of(experiment, folder))
    return (arrays, header) if header.get("experiment") == experiment.described() else None


def is_whole(header):
    """Whether all chunks of a run are there."""
    return header.get("chunks") == header.get("of")


def keep(experiment, folder, arrays, **header):
    """Write ``arrays`` to the file of ``experiment``; without a folder nothing is written."""
    if folder is not None:
        described = {"experiment": experiment.described(), **header}
        store.save(path_of(experiment, folder), arrays, described)
