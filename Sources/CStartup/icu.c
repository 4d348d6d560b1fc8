// ICU's tables for languages, 34 MB, which nothing of Strata reads: Unicode's properties, normalization and regular
// expressions have theirs in the code. The static program gets this empty table of contents in their place.

#include "CStartup.h"

#ifdef STRATA_ICU_DATA
#include <stdint.h>

/// The header of ICU's data (`DataHeader` of its `udata.h`), and a table of contents without entries.
__attribute__((visibility("default"), aligned(16))) const struct {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved_word;
  uint8_t is_big_endian, charset_family, char_size, reserved_byte;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, reserved;
} STRATA_ICU_DATA = {
    32, {0xda, 0x27}, 20, 0, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, 0, 2, 0,
    {'T', 'o', 'C', 'P'}, {1, 0, 0, 0}, {0, 0, 0, 0}, {0}, 0, 0,
};
#endif
