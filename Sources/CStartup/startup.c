// On Linux the Swift runtime looks for its program before `main` by way of /proc/self/exe and aborts with a riddle
// where /proc is not mounted; libdispatch, which reads there how its threads fare, would crash later.

#include "CStartup.h"

#if defined(__linux__)
#include <errno.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

/// Runs before the constructors of the runtime, which have no priority.
__attribute__((constructor(101))) static void strata_require_proc(void) {
  if (access("/proc/self/exe", F_OK) == 0) return;
  fputs("error: /proc is not mounted, and the program cannot run without it\n"
        "  fix: mount -t proc proc /proc, in the root where the program runs\n",
        stderr);
  _exit(2);
}

/// libdispatch opens files of its own, and traps without a word where the limit leaves it none.
__attribute__((constructor(102))) static void strata_require_files(void) {
  enum { needed = 4 };
  int files[needed];
  int count = 0;
  while (count < needed && (files[count] = eventfd(0, EFD_CLOEXEC)) >= 0) count++;
  int error = count < needed ? errno : 0;
  while (count > 0) close(files[--count]);
  if (error != EMFILE && error != ENFILE) return;
  fputs("error: too many open files, and the program cannot run\n"
        "  fix: close other programs, or raise the limit: ulimit -n\n",
        stderr);
  _exit(2);
}
#endif
