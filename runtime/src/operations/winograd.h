// What the descriptors of winograd_input and winograd_output have in common: a run of tiles.
#pragma once
#include "descriptor_parts.h"

namespace tpp {

// Checks the fields of the tiles. `columns` receives the columns of their outputs: those of pixels that no two tiles share.
template <typename Desc> tpp_status check_tiles(const Desc &desc, int64_t *columns) {
  if (desc.tile != 2 && desc.tile != 4)
    return fail(TPP_STATUS_INVALID_ARGUMENT, "tile is %d, must be 2 or 4", desc.tile);
  TPP_RETURN_IF_FAILED(check_size("tiles", desc.tiles));
  TPP_RETURN_IF_FAILED(check_size("channels", desc.channels));
  int64_t with_border;
  if (__builtin_mul_overflow(desc.tiles, desc.tile, columns) || __builtin_add_overflow(*columns, 2, &with_border))
    return fail(TPP_STATUS_OVERFLOW, "the columns of %" PRId64 " tiles do not fit in 63 bits", desc.tiles);
  return check_provider(desc.provider);
}

// Points of a tile.
template <typename Desc> int64_t points_of(const Desc &desc) { return int64_t{desc.tile + 2} * (desc.tile + 2); }

} // namespace tpp
