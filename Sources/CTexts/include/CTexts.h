#pragma once

/// The characters of a file of `texts.c`, which ends with a zero; null if it does not have the file.
///
/// C, because a compiler of Swift takes half a minute for the same bytes as an array.
const char *strata_text(const char *name);
