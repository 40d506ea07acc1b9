"""Which account the embedded services run as, and the folders that account can reach."""

import hashlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from runner.processes import Account
from runner.refusal import Refusal

# A Unix socket's address ends at 107 bytes on Linux and 103 elsewhere; PostgreSQL's file name takes 17 of them.
_LONGEST_SOCKET_FOLDER = 80
_STATE = Path("/var/lib/mawrid")
THROW_AWAY = "mawrid-test-"


def service_account() -> Account | None:
    """PostgreSQL refuses to run as root: then an account that every system has; otherwise, ourselves."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    raise Refusal("PostgreSQL does not run as root and there is no account nobody. Start as an ordinary user.")


def own(folder: Path, account: Account | None) -> None:
    """Make a folder that only the services' account can open, or refuse one that somebody else put there."""
    try:
        folder.mkdir(mode=0o700)
    except FileExistsError:
        _refuse_foreign(folder, account)
        return
    if account is not None:
        os.chown(folder, account.uid, account.gid)


def socket_folder(data_dir: Path) -> Path:
    """A short folder for the sockets of one DATA_DIR, the same for everybody who asks as the same user."""
    name = f"mawrid-{os.geteuid()}-{_digest(data_dir)}"
    return next(folder for folder in _temporary_folders(None)) / name


def throw_away_folder(account: Account | None) -> Path:
    """A new folder for a cluster that lives as long as a test run."""
    folder = Path(tempfile.mkdtemp(prefix=THROW_AWAY, dir=next(_temporary_folders(account))))
    if account is not None:
        os.chown(folder, account.uid, account.gid)
    return folder


def home(data_dir: Path, account: Account | None, name: str) -> Path:
    """A folder of `data_dir` for a service's data, or a link to one where the services' account can reach it."""
    link = data_dir / name
    if link.is_symlink():
        return link.resolve()
    if account is None or link.exists() or reaches(account, data_dir):
        own(link, account)
        return link
    _make_passable(_STATE)
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-{_digest(data_dir)}-", dir=_STATE))
    os.chown(folder, account.uid, account.gid)
    link.symlink_to(folder)
    return folder


def programs(packages: Path, parts: Sequence[str], account: Account | None, version: str) -> Path:
    """The folder of `parts`: `packages`, or a copy that the services' account can reach, made once a version."""
    if account is None or all(reaches(account, packages / part) for part in parts):
        return packages
    copy = _STATE / "programs" / version
    if not copy.exists():
        _copy_programs(packages, parts, copy)
    return copy


def reaches(account: Account, folder: Path) -> bool:
    """Whether an account can enter a folder; asked of the system, as modes are not the whole story."""
    answer = subprocess.run(
        ["/bin/sh", "-c", 'cd -- "$0"', str(folder)],
        cwd="/",
        user=account.uid,
        group=account.gid,
        extra_groups=[],
        capture_output=True,
        check=False,
    )
    return answer.returncode == 0


def _copy_programs(packages: Path, parts: Sequence[str], copy: Path) -> None:
    _make_passable(copy.parent)
    draft = Path(tempfile.mkdtemp(prefix="draft-", dir=copy.parent))
    for part in parts:
        shutil.copytree(packages / part, draft / part, symlinks=True)
    for path in (draft, *draft.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)
    try:
        draft.rename(copy)
    except OSError:
        # Another start was quicker and its copy is as good.
        shutil.rmtree(draft)


def _make_passable(folder: Path) -> None:
    """Make a folder below our state folder that everybody can pass through, whatever the umask."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (folder, *folder.parents):
        if path.is_relative_to(_STATE):
            path.chmod(0o711)


def _temporary_folders(account: Account | None) -> Iterator[Path]:
    for name in (tempfile.gettempdir(), "/tmp", "/var/tmp"):  # noqa: S108 -- folders in them are made safely
        folder = Path(name)
        if len(os.fsencode(folder)) < _LONGEST_SOCKET_FOLDER - 40 and (not account or reaches(account, folder)):
            yield folder
    raise Refusal("No temporary folder is short enough for sockets and open to all. Set TMPDIR to /tmp.")


def _refuse_foreign(folder: Path, account: Account | None) -> None:
    found = folder.lstat()
    owner = os.geteuid() if account is None else account.uid
    if not folder.is_dir() or folder.is_symlink() or found.st_uid != owner or found.st_mode & 0o077:
        raise Refusal(
            f"{folder} is not a folder that only the services' account can open. Remove it and start again."
        )


def _digest(data_dir: Path) -> str:
    return hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:12]
