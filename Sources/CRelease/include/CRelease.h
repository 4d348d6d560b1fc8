#pragma once

/// The version of the program: that of its tag, with the number of commits since, such as "1.2.0+5".
const char *strata_release_version(void);

/// The commit of the program, such as "0123456789" or "0123456789 with changes"; empty if it is not known.
const char *strata_release_commit(void);
