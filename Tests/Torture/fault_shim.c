// Preloaded into the program: counts every call that changes files below one folder, and lets one of them
// fail, or end the process as a kill or a power cut would.
//
// FAULT_FOLDER  the folder; calls that touch files elsewhere are not counted
// FAULT_AT      the number of the call, counted from 1; 0 only counts
// FAULT_MODE    kill: dies before the call; torn: dies in its midst, half of the bytes written;
//               eio: this call fails; full: from this call on, the disk has no room;
//               power: dies before the call, and what was not synced is to be taken away by who called
// FAULT_SYNCED  a folder for what each file held when it was synced last, by its inode
// FAULT_COUNT   a file for the number of calls that were made
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *folder;
static size_t folder_length;
static long fault_at;
static const char *mode;
static int count_file = -1;
static const char *synced;
static long calls;

enum Kind { GROWS, SHRINKS, SYNCS, RENAMES };

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULT_FOLDER");
  folder_length = folder ? strlen(folder) : 0;
  fault_at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
  mode = getenv("FAULT_MODE") ? getenv("FAULT_MODE") : "";
  synced = getenv("FAULT_SYNCED");
  const char *count = getenv("FAULT_COUNT");
  if (count) count_file = syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static int is_inside(const char *path) {
  if (!folder) return 0;
  char resolved[PATH_MAX];
  if (path[0] != '/') {
    if (syscall(SYS_getcwd, resolved, sizeof resolved) < 0) return 0;
    path = resolved;
  }
  return strncmp(path, folder, folder_length) == 0;
}

static int is_file_inside(int file) {
  if (!folder) return 0;
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

// 0: go on; 1: fail with errno; 2: die when half is done.
static int meets_fault(enum Kind kind) {
  long number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  if (count_file >= 0) {
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", number);
    syscall(SYS_pwrite64, count_file, text, length, 0);
  }
  if (fault_at == 0 || number < fault_at) return 0;
  if (strcmp(mode, "full") == 0) {
    if (kind != GROWS) return 0;
    errno = ENOSPC;
    return 1;
  }
  if (number != fault_at) return 0;
  if (strcmp(mode, "kill") == 0 || strcmp(mode, "power") == 0) syscall(SYS_kill, getpid(), SIGKILL);
  if (strcmp(mode, "torn") == 0) return 2;
  errno = EIO;
  return 1;
}

static void die(void) { syscall(SYS_kill, getpid(), SIGKILL); }

// Keeps what a file holds now.
static void keep(int file) {
  struct stat status;
  if (!synced || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%lu", synced, (unsigned long)status.st_ino);
  int copy = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (copy < 0) return;
  static char buffer[1 << 16];
  off_t offset = 0;
  for (;;) {
    ssize_t length = syscall(SYS_pread64, file, buffer, sizeof buffer, offset);
    if (length <= 0) break;
    syscall(SYS_pwrite64, copy, buffer, length, offset);
    offset += length;
  }
  syscall(SYS_close, copy);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define WRITING(name, parameters, arguments, half)          \
  ssize_t name parameters {                                 \
    static __typeof__(&name) real;                          \
    if (!real) real = REAL(name);                           \
    if (is_file_inside(file)) {                             \
      int fault = meets_fault(GROWS);                       \
      if (fault == 1) return -1;                            \
      if (fault == 2) {                                     \
        real half;                                          \
        die();                                              \
      }                                                     \
    }                                                       \
    return real arguments;                                  \
  }

WRITING(write, (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, size / 2))
WRITING(pwrite, (int file, const void *bytes, size_t size, off_t offset), (file, bytes, size, offset),
        (file, bytes, size / 2, offset))
WRITING(pwrite64, (int file, const void *bytes, size_t size, off64_t offset), (file, bytes, size, offset),
        (file, bytes, size / 2, offset))

#define CHANGING(name, kind, parameters, arguments, inside) \
  int name parameters {                                     \
    static __typeof__(&name) real;                          \
    if (!real) real = REAL(name);                           \
    if (inside) {                                           \
      int fault = meets_fault(kind);                        \
      if (fault == 1) return -1;                            \
      if (fault == 2) {                                     \
        real arguments;                                     \
        die();                                              \
      }                                                     \
    }                                                       \
    return real arguments;                                  \
  }

#define SYNCING(name)                                       \
  int name(int file) {                                      \
    static int (*real)(int);                                \
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, #name); \
    int is_inside = is_file_inside(file);                   \
    int fault = is_inside ? meets_fault(SYNCS) : 0;         \
    if (fault == 1) return -1;                              \
    int result = real(file);                                \
    if (is_inside && result == 0) keep(file);               \
    if (fault == 2) die();                                  \
    return result;                                          \
  }

SYNCING(fsync)
SYNCING(fdatasync)

CHANGING(ftruncate, SHRINKS, (int file, off_t size), (file, size), is_file_inside(file))
CHANGING(ftruncate64, SHRINKS, (int file, off64_t size), (file, size), is_file_inside(file))
CHANGING(fchmod, SHRINKS, (int file, mode_t mode), (file, mode), is_file_inside(file))
CHANGING(rename, RENAMES, (const char *path, const char *target), (path, target), is_inside(path))
CHANGING(link, GROWS, (const char *path, const char *target), (path, target), is_inside(target))
CHANGING(symlink, GROWS, (const char *path, const char *target), (path, target), is_inside(target))
CHANGING(unlink, SHRINKS, (const char *path), (path), is_inside(path))
CHANGING(rmdir, SHRINKS, (const char *path), (path), is_inside(path))
CHANGING(mkdir, GROWS, (const char *path, mode_t mode), (path, mode), is_inside(path))
CHANGING(chmod, SHRINKS, (const char *path, mode_t mode), (path, mode), is_inside(path))
CHANGING(unlinkat, SHRINKS, (int at, const char *path, int flags), (at, path, flags),
         at == AT_FDCWD ? is_inside(path) : is_file_inside(at))
CHANGING(mkdirat, GROWS, (int at, const char *path, mode_t mode), (at, path, mode),
         at == AT_FDCWD ? is_inside(path) : is_file_inside(at))
CHANGING(renameat, RENAMES, (int at, const char *path, int to, const char *target), (at, path, to, target),
         at == AT_FDCWD ? is_inside(path) : is_file_inside(at))
CHANGING(linkat, GROWS, (int at, const char *path, int to, const char *target, int flags),
         (at, path, to, target, flags), to == AT_FDCWD ? is_inside(target) : is_file_inside(to))

// Only what makes a file is a change.
#define OPENING(name, parameters, arguments, inside)        \
  int name parameters {                                     \
    static int (*real)();                                   \
    if (!real) real = (int (*)())dlsym(RTLD_NEXT, #name);   \
    mode_t mode = 0;                                        \
    if (flags & (O_CREAT | __O_TMPFILE)) {                  \
      va_list rest;                                         \
      va_start(rest, flags);                                \
      mode = va_arg(rest, mode_t);                          \
      va_end(rest);                                         \
      if (inside && meets_fault(GROWS) == 1) return -1;     \
    }                                                       \
    return real arguments;                                  \
  }

OPENING(open, (const char *path, int flags, ...), (path, flags, mode), is_inside(path))
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode), is_inside(path))
OPENING(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode),
        at == AT_FDCWD ? is_inside(path) : is_file_inside(at))
OPENING(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode),
        at == AT_FDCWD ? is_inside(path) : is_file_inside(at))
