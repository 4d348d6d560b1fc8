// The version of a program that was built without `Scripts/strata`, or from a commit that no tag of a release precedes;
// `Scripts/strata` writes the header from git. C, so that another commit compiles this file alone.

#include "CRelease.h"

#if __has_include("strata-release.h")
#include "strata-release.h"
#endif

#ifndef STRATA_VERSION
#define STRATA_VERSION "0.1.0"
#endif
#ifndef STRATA_COMMIT
#define STRATA_COMMIT ""
#endif

const char *strata_release_version(void) { return STRATA_VERSION; }

const char *strata_release_commit(void) { return STRATA_COMMIT; }
