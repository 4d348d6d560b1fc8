#pragma once

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
