#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Writes a file to the disk; -1 and `errno` if that failed. fsync(2) of macOS leaves the data in the disk's cache,
/// and not every file system has more.
static inline int strata_sync(int file) {
#ifdef F_FULLFSYNC
  if (fcntl(file, F_FULLFSYNC) == 0) return 0;
#endif
  return fsync(file);
}

/// Gives a file an extended attribute; -1 if that failed. The systems differ in the arguments.
static inline int strata_set_attribute(const char *path, const char *name, const void *value, size_t size) {
#ifdef __APPLE__
  return setxattr(path, name, value, size, 0, XATTR_NOFOLLOW);
#else
  return lsetxattr(path, name, value, size, 0);
#endif
}

/// Reads an extended attribute of a file of at most `size` bytes; -1 if there is none.
static inline ssize_t strata_attribute(const char *path, const char *name, void *value, size_t size) {
#ifdef __APPLE__
  return getxattr(path, name, value, size, 0, XATTR_NOFOLLOW);
#else
  return lgetxattr(path, name, value, size);
#endif
}

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

#ifdef __APPLE__
#include <copyfile.h>
#include <libproc.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/proc_info.h>

/// The processes that have a file open, but not only to be notified of its changes; -1 if they are not known.
static inline int strata_processes_having(const char *path, pid_t *processes, int count) {
  int size = proc_listpidspath(PROC_ALL_PIDS, 0, path, PROC_LISTPIDSPATH_EXCLUDE_EVTONLY,
                               processes, count * (int)sizeof(pid_t));
  return size < 0 ? -1 : size / (int)sizeof(pid_t);
}

static inline int strata_process_name(pid_t process, char *name, uint32_t size) {
  return proc_name(process, name, size);
}

static inline int strata_process_program(pid_t process, char *path, uint32_t size) {
  return proc_pidpath(process, path, size);
}

static inline pid_t strata_process_parent(pid_t process) {
  struct proc_bsdinfo info;
  int size = proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &info, (int)sizeof info);
  return size == (int)sizeof info ? (pid_t)info.pbi_ppid : 0;
}

/// Whether a file is on a network volume, on which SQLite of macOS locks in other ways than by fcntl(2).
static inline int strata_is_remote(int file) {
  struct statfs status;
  return fstatfs(file, &status) == 0 && !(status.f_flags & MNT_LOCAL);
}

/// Copies the access control list and the extended attributes of a file.
static inline int strata_copy_attributes(int source, int target) {
  return fcopyfile(source, target, (copyfile_state_t)0, COPYFILE_ACL | COPYFILE_XATTR);
}
#endif
