// On Linux the Swift runtime looks for its program before `main` by way of /proc/self/exe and aborts with a riddle
// where /proc is not mounted; libdispatch, which reads there how its threads fare, would crash later.

#include "CStartup.h"

#if defined(__linux__)
#include <stdio.h>
#include <unistd.h>

/// Runs before the constructors of the runtime, which have no priority.
__attribute__((constructor(101))) static void strata_require_proc(void) {
  if (access("/proc/self/exe", F_OK) == 0) return;
  fputs("error: /proc is not mounted, and the program cannot run without it\n"
        "  fix: mount -t proc proc /proc, in the root where the program runs\n",
        stderr);
  _exit(2);
}
#endif
