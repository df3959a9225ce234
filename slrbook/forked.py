"""Kernels that have imported everything when they begin: forks of one process that did so once.

The imports of a chapter take three seconds of a processor, and so they would in each of some forty
kernels. Importing JAX starts neither a backend nor a thread, so what it has imported may be forked.
On Linux only: elsewhere libraries of the system do not bear it, and each kernel imports its own.

They compile with a quarter less work, too: most programs of a chapter run once or twice. And they
look for cycles of dead objects less often: tracing makes many objects, and few cycles.
"""

import atexit
import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from importlib import import_module
from importlib.metadata import EntryPoint

import psutil
from jupyter_client.provisioning.factory import KernelProvisionerFactory
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

NAME = "slrbook-forked"
IMPORTED = """ipykernel.kernelapp jax scipy.stats scipy.optimize slrbook.inside
slrbook.explorers slrbook.picture slrlib.experiments slrlib.language""".split()
QUICK = "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
SELDOM = (20_000, 20, 20)  # for gc.set_threshold
_KERNEL = "ipykernel_launcher"
_OTHERS = (
    "JPY_",
    "PYTEST_",
)  # variables that differ from kernel to kernel, and that no import reads
_servers: dict[str, "Server"] = {}  # by their variables, as some of them are read by an import


def use() -> None:
    """From now on the kernels that this process starts are forks, where this is safe."""
    if sys.platform == "linux":
        entry = EntryPoint(NAME, f"{__name__}:Forked", KernelProvisionerFactory.GROUP_NAME)
        KernelProvisionerFactory.provisioners[NAME] = entry
        KernelProvisionerFactory.instance().default_provisioner_name = NAME


class Forked(LocalProvisioner):
    """What starts, asks after and ends a kernel; all but the start is Jupyter's own."""

    async def launch_kernel(self, cmd, **kwargs):
        if _KERNEL not in cmd:
            return await super().launch_kernel(cmd, **kwargs)
        arguments, env = cmd[cmd.index(_KERNEL) :], dict(kwargs["env"])
        env["XLA_FLAGS"] = f"{QUICK} {env.get('XLA_FLAGS', '')}"
        self.process = server(env).fork(arguments, env, kwargs.get("cwd") or os.getcwd())
        self.pid = self.pgid = self.process.pid
        return self.connection_info


def server(env: dict[str, str]) -> "Server":
    """The process that forks kernels with these variables, started when it is first wanted."""
    read = {name: value for name, value in env.items() if not name.startswith(_OTHERS)}
    key = json.dumps(read, sort_keys=True)
    if key not in _servers or _servers[key].process.poll() is not None:
        _servers[key] = Server(read)
    return _servers[key]


class Server:
    """The process that has imported everything, seen from the one that wants kernels."""

    def __init__(self, env: dict[str, str]):
        command = [sys.executable, "-P", "-m", __name__]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=env, stdin=pipe, stdout=pipe, text=True, start_new_session=True
        )
        atexit.register(self.close)

    def fork(self, arguments: list[str], env: dict[str, str], folder: str) -> "Kernel":
        assert self.process.stdin and self.process.stdout  # both are pipes
        print(json.dumps([arguments, env, folder]), file=self.process.stdin, flush=True)
        said = self.process.stdout.readline()
        if not said:
            raise RuntimeError("the process that imports what chapters need has failed")
        return Kernel(int(said))

    def close(self) -> None:
        """It ends when nobody can ask it any more, and a kernel with it, should one be left."""
        with contextlib.suppress(OSError):
            self.process.communicate()


class Kernel:
    """A forked kernel: what Jupyter wants of a ``Popen``, of a process that is no child of ours."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int):
        self.pid = pid

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """None while it lives; how it ended is known to nobody, and asked by nobody.

        If the process that forked it was killed, it may be left without anybody who buries it.
        """
        try:
            dead = psutil.Process(self.pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            dead = True
        return 0 if dead else None

    def wait(self) -> int:
        while self.poll() is None:
            time.sleep(0.01)
        return 0


def _serve() -> tuple[list[str], dict[str, str], str]:
    """Fork at each line that is read, and write the number of the child; only a child returns."""
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as ipykernel
    for module in IMPORTED:
        import_module(module)
    gc.freeze()  # what is never looked through is not copied either
    gc.set_threshold(*SELDOM)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nothing is left of a child that has ended
    for line in iter(sys.stdin.readline, ""):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # OpenBLAS may have threads, and stops them for it
            child = os.fork()
        if not child:
            return json.loads(line)
        with contextlib.suppress(OSError):  # so does the child; who is first is not known
            os.setpgid(child, child)
        print(child, flush=True)
    os._exit(0)


def _become(arguments: list[str], env: dict[str, str], folder: str) -> None:
    """Go on as the kernel that these arguments would start."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setpgid(0, 0)  # signals go to the kernel and all that it has started
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # the pipe is not ours
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)
    sys.argv = [*arguments, f"--IPKernelApp.parent_handle={os.getppid()}"]  # without it, it ends
    import_module("ipykernel.kernelapp").launch_new_instance()


if __name__ == "__main__":
    _become(*_serve())
