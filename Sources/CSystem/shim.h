#pragma once

#include <signal.h>
#include <spawn.h>

/// Starts a program; descriptors that are not negative become its standard input, output and error. Signals that this
/// program ignores or handles mean what they always do to the other.
///
/// Returns an error number, or 0.
static inline int strata_spawn(pid_t *process, const char *path, char *const *arguments,
                               char *const *environment, const int descriptors[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGPIPE);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  posix_spawn_file_actions_init(&actions);
  for (int index = 0; index < 3; index++) {
    if (descriptors[index] >= 0)
      posix_spawn_file_actions_adddup2(&actions, descriptors[index], index);
  }
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  int status = posix_spawn(process, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return status;
}

#ifdef __linux__
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/// `O_PATH` of open(2), which some headers hide: a folder is opened only to find names in it.
static const int strata_open_path = 010000000;

/// openat2(2) of Linux 5.6, which no header of the C library need know: opens a path below a folder, and
/// refuses (`EXDEV`, `ELOOP`) where a link or `..` leads out of it or through /proc. Only the system's own
/// numbers are used: 437 is the call on every processor, 0x02 is `RESOLVE_NO_MAGICLINKS` and 0x08 is
/// `RESOLVE_BENEATH`.
static inline int strata_open_beneath(int folder, const char *path, int flags) {
  struct {
    uint64_t flags, mode, resolve;
  } how = {(uint64_t)flags, 0, 0x02 | 0x08};
  return (int)syscall(437, folder, path, &how, sizeof how);
}
#endif
