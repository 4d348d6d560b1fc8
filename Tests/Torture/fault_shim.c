// Preloaded into the program: counts every call that changes files below one folder, and lets one of them
// fail, or end the process as a kill or a power cut would.
//
// FAULT_FOLDER  the folder; calls that touch files elsewhere are not counted
// FAULT_AT      the number of the call, counted from 1; 0 only counts
// FAULT_MODE    kill: dies before the call; torn: dies in its midst, half of the bytes written;
//               eio: this call fails; full: from this call on, the disk has no room;
//               opened: stops before the call, until somebody lets it go on
// FAULT_COUNT   a file for the number of calls that were made
// FAULT_LOG     a file for all that the calls changed, see `log_change`: of it disk_log.py makes what a disk may hold
//               when the power goes
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *folder;
static size_t folder_length;
static long fault_at;
static const char *mode;
static int count_file = -1;
static int log_file = -1;
static long calls;

enum Kind { GROWS, SHRINKS, SYNCS, RENAMES };

__attribute__((constructor)) static void begin(void) {
  folder = getenv("FAULT_FOLDER");
  folder_length = folder ? strlen(folder) : 0;
  fault_at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
  mode = getenv("FAULT_MODE") ? getenv("FAULT_MODE") : "";
  const char *count = getenv("FAULT_COUNT");
  if (count) count_file = syscall(SYS_openat, AT_FDCWD, count, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const char *log = getenv("FAULT_LOG");
  if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
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
  // A pipe's name is no path.
  return path[0] == '/' && is_inside(path);
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
  if (strcmp(mode, "kill") == 0) syscall(SYS_kill, getpid(), SIGKILL);
  if (strcmp(mode, "torn") == 0) return 2;
  if (strcmp(mode, "opened") == 0) {
    syscall(SYS_kill, getpid(), SIGSTOP);
    return 0;
  }
  errno = EIO;
  return 1;
}

static void die(void) { syscall(SYS_kill, getpid(), SIGKILL); }

// What a call has changed, as the log has it.
enum Change { WRITES = 1, CUTS, SYNCED, MAKES, MAKES_FOLDER, LINKS, MOVES, REMOVES, MAKES_LINK, MODE };

// Held from before a call until its change is in the log: the log has them in their order.
static pthread_mutex_t order = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

// A record: the number of the call, the change, three numbers, and two strings of bytes behind their lengths.
static void log_change(enum Change change, uint64_t a, uint64_t b, uint64_t c, const void *first, size_t first_size,
                       const void *second, size_t second_size) {
  if (log_file < 0) return;
  uint64_t head[] = {calls, change, a, b, c, first_size, second_size};
  struct iovec parts[] = {{head, sizeof head}, {(void *)first, first_size}, {(void *)second, second_size}};
  syscall(SYS_writev, log_file, parts, 3);
}

// A name in a folder.
struct Place {
  uint64_t folder;
  char name[NAME_MAX + 1];
};

static int find_place(int at, const char *path, struct Place *place) {
  char folder[PATH_MAX];
  size_t length = strlen(path);
  if (length >= sizeof folder) return 0;
  memcpy(folder, path, length + 1);
  while (length > 1 && folder[length - 1] == '/') folder[--length] = 0;
  char *slash = strrchr(folder, '/');
  snprintf(place->name, sizeof place->name, "%s", slash ? slash + 1 : folder);
  if (!slash) strcpy(folder, ".");
  else if (slash == folder) strcpy(folder, "/");
  else *slash = 0;
  struct stat status;
  if (fstatat(at, folder, &status, 0) != 0) return 0;
  place->folder = status.st_ino;
  return 1;
}

static void log_at(enum Change change, int at, const char *path, int to, const char *target) {
  int saved = errno;
  struct Place place, other;
  struct stat status;
  if (log_file >= 0 && find_place(at, path, &place)) {
    size_t size = strlen(place.name);
    if (change == MOVES || change == LINKS) {
      if (find_place(to, target, &other))
        log_change(change, place.folder, other.folder, 0, place.name, size, other.name, strlen(other.name));
    } else if (change == MAKES_LINK) {
      log_change(change, place.folder, 0, 0, place.name, size, target, strlen(target));
    } else if (change == REMOVES) {
      log_change(change, place.folder, 0, 0, place.name, size, "", 0);
    } else if (fstatat(at, path, &status, 0) == 0) {
      log_change(change, place.folder, status.st_ino, status.st_mode & 07777, place.name, size, "", 0);
    }
  }
  errno = saved;
}

static void log_file_change(enum Change change, int file, uint64_t number) {
  int saved = errno;
  struct stat status;
  if (log_file >= 0 && fstat(file, &status) == 0) log_change(change, status.st_ino, number, 0, "", 0, "", 0);
  errno = saved;
}

// What was written, as the file has it now.
static void log_written(int file, off_t offset, size_t size) {
  int saved = errno;
  struct stat status;
  if (log_file >= 0 && fstat(file, &status) == 0) {
    static char buffer[1 << 16];
    while (size > 0) {
      ssize_t length = syscall(SYS_pread64, file, buffer, size < sizeof buffer ? size : sizeof buffer, offset);
      if (length < 0) {
        // It was opened only to be written.
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        int other = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        length = syscall(SYS_pread64, other, buffer, size < sizeof buffer ? size : sizeof buffer, offset);
        syscall(SYS_close, other);
      }
      if (length <= 0) break;
      log_change(WRITES, status.st_ino, offset, 0, buffer, length, "", 0);
      offset += length;
      size -= length;
    }
  }
  errno = saved;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// The real call, and its change in the log.
#define ORDERED(result_type, call, logged)  \
  pthread_mutex_lock(&order);               \
  result_type result = call;                \
  if (result >= 0) {                        \
    logged;                                 \
  }                                         \
  pthread_mutex_unlock(&order);             \
  return result;

#define WRITING(type, name, parameters, arguments, half, offset)       \
  type name parameters {                                               \
    static __typeof__(&name) real;                                     \
    if (!real) real = REAL(name);                                      \
    if (!is_file_inside(file)) return real arguments;                  \
    int fault = meets_fault(GROWS);                                    \
    if (fault == 1) return -1;                                         \
    if (fault == 2) {                                                  \
      real half;                                                       \
      die();                                                           \
    }                                                                  \
    ORDERED(type, real arguments, log_written(file, offset, result))   \
  }

// Where the call that has just written so much began.
#define BEHIND (lseek(file, 0, SEEK_CUR) - result)

WRITING(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, size / 2), BEHIND)
WRITING(ssize_t, pwrite, (int file, const void *bytes, size_t size, off_t offset), (file, bytes, size, offset),
        (file, bytes, size / 2, offset), offset)
WRITING(ssize_t, pwrite64, (int file, const void *bytes, size_t size, off64_t offset), (file, bytes, size, offset),
        (file, bytes, size / 2, offset), offset)
WRITING(ssize_t, writev, (int file, const struct iovec *parts, int count), (file, parts, count),
        (file, parts, count / 2), BEHIND)
WRITING(ssize_t, sendfile, (int file, int from, off_t *offset, size_t size), (file, from, offset, size),
        (file, from, offset, size / 2), BEHIND)
WRITING(ssize_t, sendfile64, (int file, int from, off64_t *offset, size_t size), (file, from, offset, size),
        (file, from, offset, size / 2), BEHIND)
WRITING(ssize_t, copy_file_range, (int from, off64_t *begin, int file, off64_t *end, size_t size, unsigned flags),
        (from, begin, file, end, size, flags), (from, begin, file, end, size / 2, flags),
        (end ? *end : lseek(file, 0, SEEK_CUR)) - result)

#define CHANGING(name, kind, parameters, arguments, inside, logged) \
  int name parameters {                                             \
    static __typeof__(&name) real;                                  \
    if (!real) real = REAL(name);                                   \
    if (!(inside)) return real arguments;                           \
    int fault = meets_fault(kind);                                  \
    if (fault == 1) return -1;                                      \
    if (fault == 2) {                                               \
      real arguments;                                               \
      die();                                                        \
    }                                                               \
    ORDERED(int, real arguments, logged)                            \
  }

CHANGING(fsync, SYNCS, (int file), (file), is_file_inside(file), log_file_change(SYNCED, file, 0))
CHANGING(fdatasync, SYNCS, (int file), (file), is_file_inside(file), log_file_change(SYNCED, file, 0))
CHANGING(ftruncate, SHRINKS, (int file, off_t size), (file, size), is_file_inside(file), log_file_change(CUTS, file, size))
CHANGING(ftruncate64, SHRINKS, (int file, off64_t size), (file, size), is_file_inside(file),
         log_file_change(CUTS, file, size))
CHANGING(fchmod, SHRINKS, (int file, mode_t mode), (file, mode), is_file_inside(file), log_file_change(MODE, file, mode))
CHANGING(rename, RENAMES, (const char *path, const char *target), (path, target), is_inside(path),
         log_at(MOVES, AT_FDCWD, path, AT_FDCWD, target))
CHANGING(link, GROWS, (const char *path, const char *target), (path, target), is_inside(target),
         log_at(LINKS, AT_FDCWD, path, AT_FDCWD, target))
CHANGING(symlink, GROWS, (const char *path, const char *target), (path, target), is_inside(target),
         log_at(MAKES_LINK, AT_FDCWD, target, AT_FDCWD, path))
CHANGING(unlink, SHRINKS, (const char *path), (path), is_inside(path), log_at(REMOVES, AT_FDCWD, path, 0, ""))
CHANGING(rmdir, SHRINKS, (const char *path), (path), is_inside(path), log_at(REMOVES, AT_FDCWD, path, 0, ""))
CHANGING(mkdir, GROWS, (const char *path, mode_t mode), (path, mode), is_inside(path),
         log_at(MAKES_FOLDER, AT_FDCWD, path, 0, ""))
CHANGING(chmod, SHRINKS, (const char *path, mode_t mode), (path, mode), is_inside(path),
         log_at(MODE, AT_FDCWD, path, 0, ""))
#define IS_INSIDE_AT(at, path) (at == AT_FDCWD || path[0] == '/' ? is_inside(path) : is_file_inside(at))
CHANGING(unlinkat, SHRINKS, (int at, const char *path, int flags), (at, path, flags), IS_INSIDE_AT(at, path),
         log_at(REMOVES, at, path, 0, ""))
CHANGING(mkdirat, GROWS, (int at, const char *path, mode_t mode), (at, path, mode), IS_INSIDE_AT(at, path),
         log_at(MAKES_FOLDER, at, path, 0, ""))
CHANGING(renameat, RENAMES, (int at, const char *path, int to, const char *target), (at, path, to, target),
         IS_INSIDE_AT(at, path), log_at(MOVES, at, path, to, target))
CHANGING(linkat, GROWS, (int at, const char *path, int to, const char *target, int flags),
         (at, path, to, target, flags), IS_INSIDE_AT(to, target), log_at(LINKS, at, path, to, target))

// Only what makes a file is a change, or what empties it.
static void log_opened(int at, const char *path, int file, int flags, int was_there) {
  if (!was_there) log_at(MAKES, at, path, 0, "");
  else if (flags & O_TRUNC) log_file_change(CUTS, file, 0);
}

#define OPENING(name, parameters, arguments, folder, inside)                              \
  int name parameters {                                                                   \
    static int (*real)();                                                                 \
    if (!real) real = (int (*)())dlsym(RTLD_NEXT, #name);                                 \
    mode_t mode = 0;                                                                      \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                                \
      va_list rest;                                                                       \
      va_start(rest, flags);                                                              \
      mode = va_arg(rest, mode_t);                                                        \
      va_end(rest);                                                                       \
    }                                                                                     \
    if (!(flags & (O_CREAT | __O_TMPFILE | O_TRUNC)) || !(inside)) return real arguments; \
    if (meets_fault(GROWS) == 1) return -1;                                               \
    int was_there = syscall(SYS_faccessat, folder, path, F_OK) == 0;                      \
    ORDERED(int, real arguments, log_opened(folder, path, result, flags, was_there))      \
  }

OPENING(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD, is_inside(path))
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD, is_inside(path))
OPENING(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode), at, IS_INSIDE_AT(at, path))
OPENING(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode), at, IS_INSIDE_AT(at, path))
