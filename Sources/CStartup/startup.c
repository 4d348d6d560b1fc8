// What the Swift runtime needs on Linux where /proc is not mounted, as in an empty root.
//
// Before `main` the runtime looks for its program for printing backtraces, by way of /proc/self/exe, and aborts
// where that is missing; later it reads the arguments from /proc/self/cmdline. Here it is told both.

#include "CStartup.h"

#if defined(__linux__)
#include <stdlib.h>
#include <unistd.h>

/// Of the Swift runtime: what `CommandLine` says from then on.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int count)
    __attribute__((weak));

/// Runs before the constructors of the runtime, which have no priority.
__attribute__((constructor(101))) static void strata_start_without_proc(int count, char **arguments) {
  if (access("/proc/self/exe", F_OK) == 0) return;
  setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=none", 1);
  if (_swift_stdlib_overrideUnsafeArgvArgc) _swift_stdlib_overrideUnsafeArgvArgc(arguments, count);
}
#endif
