"""One mutant: made, given to every reader, and watched."""

import json
import os
import random
import re
import resource
import shutil
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

import store_health
from kinds import KINDS, Run
from seeds import write_files

# The limits of the promise.
SECONDS = 1.0
MEGABYTES = 200
# What ends a run that does not end by itself.
PATIENCE = 20.0
ADDRESS_SPACE = 8 << 30

# What a terminal would obey: nothing of it may come out of a file.
CONTROL = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c\ufeff]")


@dataclass
class Report:
    """What became of a mutant."""

    kind: str
    number: int
    status: int = 0
    seconds: float = 0
    megabytes: float = 0
    findings: list[str] = field(default_factory=list)
    # Slow, perhaps only since other work was done beside it.
    is_slow: bool = False


class Bench:
    """A folder in which one mutant after the other is tried.

    It holds `good`, the sound files; `seed`, what the mutant was before; `mutant`; and, apart from
    what is watched, `work`, copies of sound files and mutant that may change, and where standard streams and
    temporary files go.
    """

    def __init__(self, folder, program, seeds, seed_number):
        self.folder = Path(folder)
        self.program = str(program)
        self.seeds = seeds
        self.seed_number = seed_number
        self.environment = {"TMPDIR": f"{folder}/temporary", "SWIFT_BACKTRACE": "enable=no", "LANG": "C.UTF-8"}
        Path(folder, "temporary").mkdir()
        write_files(folder, seeds.good)

    def mutant(self, kind, number):
        """The seed and the mutant with this number: the same ones in every run."""
        rng = random.Random(f"{self.seed_number} {kind.name} {number}")
        seeds = kind.seeds(self.seeds)
        seed = rng.choice(seeds)
        other = rng.choice([other for other in seeds if other.keys() == seed.keys()])
        return seed, kind.mutate(rng, seed, other)

    def lay_out(self, kind, seed, mutant):
        """Writes what a trial needs, except its script."""
        for name, files in (("seed", seed), ("mutant", mutant)):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            (self.folder / name).mkdir()
            write_files(self.folder, {f"{name}/{kind.file}{end}": data for end, data in files.items()})

    def try_out(self, kind, number):
        seed, mutant = self.mutant(kind, number)
        report = Report(kind.name, number)
        try:
            self.lay_out(kind, seed, mutant)
        except (NotADirectoryError, FileExistsError, IsADirectoryError):
            return report  # A file where a folder of the same name must be: no such mutant.
        before = self._state()
        if kind.examine:
            kind.examine(self, number, lambda *words: self._run(Run(*words, seconds=8.0, keeps_work=True), report), report)
        else:
            first, *others = kind.runs(mutant)
            self._run(first, report)
            # What is refused at once is mostly refused by every command.
            if others and (report.status < 2 or number % 8 == 0):
                self._run(others[(number + 1) % len(others)], report)
        if self._state() != before:
            report.findings.append("files have changed")
        return report

    def _run(self, run, report):
        """The exit status; below 0 for a signal."""
        if run.script and run.arguments:
            (self.folder / "session.strata").write_bytes(run.script)
        copies = self._lay_out_work(run)
        ended, seconds, usage = self._start(run)
        report.seconds = max(report.seconds, seconds)
        megabytes = usage.ru_maxrss / (1 << (20 if os.uname().sysname == "Darwin" else 10))
        report.megabytes = max(report.megabytes, megabytes)
        report.is_slow = report.is_slow or seconds > run.seconds
        output = Path(self.folder, "output").read_bytes()
        errors = Path(self.folder, "errors").read_bytes()
        status = os.waitstatus_to_exitcode(ended)
        report.findings += [
            f"{self._command_line(run)}: {what}"
            for what in (
                *self._faults(run, status, megabytes, output, errors), *self._damage(run, status, copies),
            )
        ]  # fmt: skip
        # A replay says of all its commands only whether they went as they were recorded.
        if run.arguments[:1] != ["replay"] or "session.strata" not in run.arguments:
            report.status = max(report.status, status)
        return status

    def _start(self, run):
        """How it ended, after how many seconds, and what it used."""
        script = self.folder / "script"
        script.write_bytes(b"" if run.arguments else run.script)
        write = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        streams = [
            (os.POSIX_SPAWN_OPEN, 0, str(script), os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, f"{self.folder}/output", write, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, f"{self.folder}/errors", write, 0o600),
        ]
        start = time.perf_counter()
        child = os.posix_spawn(
            self.program, [self.program, *run.arguments], self.environment, file_actions=streams
        )
        signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        _, status, usage = os.wait4(child, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        # Waiting for whatever else the machine does is nothing that the program could mend.
        worked = usage.ru_utime + usage.ru_stime
        return status, min(worked, time.perf_counter() - start), usage

    def _faults(self, run, status, megabytes, output, errors):
        said = errors.decode("utf-8", "replace").strip()[-300:]
        if status < 0:
            yield f"ended by {signal.Signals(-status).name}: {said}"
        elif status not in ((0, 1, 2, 64) if run.may_be_misused else (0, 1, 2)):
            yield f"status {status}: {said}"
        elif status == 2 and not output and not errors:
            yield "refused without a word"
        if megabytes > MEGABYTES:
            yield f"{megabytes:.0f} MB"
        try:
            text = output.decode() + errors.decode()
        except UnicodeDecodeError:
            yield "its answer is not UTF-8"
        else:
            if found := CONTROL.search(text):
                yield f"control character {found[0]!r} in its answer"
            if run.is_json and status >= 0 and not _is_json(output.decode()):
                yield "its answer is not JSON"
        left = os.listdir(self.environment["TMPDIR"])
        if left:
            yield f"leaves {left[0]} behind"
            shutil.rmtree(self.environment["TMPDIR"])
            os.mkdir(self.environment["TMPDIR"])

    def _lay_out_work(self, run):
        """Copies what a run works on; what the stores among it were, by their paths."""
        text = (run.script + b" " + " ".join(run.arguments).encode()).decode(errors="replace")
        work = self.folder / "work"
        if run.keeps_work or "work/" not in text and "work" not in text.split():
            return {}
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.folder / "mutant", work, symlinks=True)
        for file in (self.folder / "good").glob("*.sqlite"):
            # The sound store has a name of its own beside a mutated one.
            name = "good.sqlite" if file.name == "store.sqlite" else file.name
            if f"work/{name}" in text:
                shutil.copy(file, work / name)
        return {path: store_health.Health(path) for path in work.iterdir() if path.suffix == ".sqlite"}

    def _damage(self, run, status, copies):
        """What has become worse in the stores that a run worked on."""
        is_one_command = run.script.count(b"\n") == 0
        for path, before in copies.items():
            after = store_health.Health(path)
            if before.is_sound and not after.is_sound:
                yield f"{path.name} was sound, and is {after.problem}"
            # A command alone that is refused has done nothing.
            elif is_one_command and status == 2 and before.is_sound and before.digest != after.digest:
                yield f"refused, and {path.name} has changed"

    def _state(self):
        """Names, sizes, times and bytes of all that the program may only read."""
        state = []
        for name in ("good", "seed", "mutant"):
            for parent, folders, files in os.walk(self.folder / name):
                for file in folders + files:
                    path = os.path.join(parent, file)
                    status = os.stat(path)
                    bytes_ = Path(path).read_bytes() if name == "mutant" and file in files else None
                    state.append((path, status.st_mode, status.st_size, status.st_mtime_ns, bytes_))
        return sorted(state, key=lambda entry: entry[0])

    @staticmethod
    def _command_line(run):
        return "`strata " + " ".join(run.arguments or ["< script"]) + "`"

    def keep(self, kind, number, folder):
        """Writes a mutant down with what is needed to try it again by hand."""
        seed, mutant = self.mutant(kind, number)
        self.lay_out(kind, seed, mutant)
        target = Path(folder, f"{kind.name}-{number}")
        shutil.rmtree(target, ignore_errors=True)
        for name in ("good", "seed", "mutant"):
            shutil.copytree(self.folder / name, target / name)
        for place, run in enumerate(kind.runs(mutant), start=1):
            name = "session.strata" if run.arguments else f"script-{place}"
            if run.script:
                (target / name).write_bytes(run.script)
            arguments = " ".join(run.arguments) if run.arguments else f"< script-{place}"
            with open(target / "commands", "a") as file:
                file.write(f"strata {arguments}\n")


def _is_json(text):
    """Whether a text is JSON documents one after the other."""
    decoder = json.JSONDecoder()
    place = 0
    try:
        while place < len(text):
            _, place = decoder.raw_decode(text, place)
            while place < len(text) and text[place].isspace():
                place += 1
    except ValueError:
        return False
    return True


def bound_children():
    """What this process starts may take no more of the machine than this."""
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def kind_named(name):
    return next(kind for kind in KINDS if kind.name == name)
