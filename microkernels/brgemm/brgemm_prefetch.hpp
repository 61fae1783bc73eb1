// Software prefetch of the native f32 brgemm: what is prefetched, and when (docs/decisions/prefetch.md). Prefetches are spread over the
// steps of k.
//
// A block holds the columns of a column tile and is contiguous in B: panels of B, or the one panel of which the tile computes a part. In the second
// case the tile prefetches the same part of the next panel, and nothing of its own, whose lines are not adjacent.
//
// More than two row tiles: the last ones, at most most_tiles, prefetch the next block of B into L2; an earlier prefetch would be evicted by
// rows of A. With more than most_tiles, the first one prefetches its own block again if it has least_own to least_far bytes. Otherwise (`own`): the first row
// tile prefetches its own block, one page ahead, or far_pages pages for blocks of at least least_far bytes if `far`. All row tiles prefetch rows of A,
// except those that prefetch their own block.
//
// If several invocations use the same B, none prefetches its own block. The last of them, with at most most_tiles row tiles in all, prefetch a share of the
// next block each. If L2 does not hold both blocks, the last one prefetches all of it if it has more than two row tiles.
#pragma once
#include "hwy/base.h"
#include "tpp/brgemm_cost.h"

#include <cstdint>

namespace tpp {

// The part that is known at dispatch.
struct brgemm_prefetch_plan {
  int64_t a_ahead;   // bytes between a column of A and the column 2 * brgemm_prefetch::steps to its right; 0: A is not prefetched
  int64_t panel;     // columns of a panel of B if B is prefetched, else 0
  bool own;          // few row tiles: prefetch only the block itself, not the next one
  int64_t uses;      // invocations that use the same B
  int64_t most_held; // bytes of a block up to which L2 holds it and the next one
  bool far;          // prefetch blocks of least_far bytes or more, too
  int64_t least;     // bytes of a block from which it is prefetched: most of L1
  int64_t least_own; // from which the first of many row tiles prefetches it again
  int64_t row_tiles; // of C
};

// Prefetching during one invocation. The loops over tiles call enter() for each column tile and phase() for its row tiles. A cursor
// holds the policy for some row tiles and fits registers: a tile calls its issue() in the loop over k.
class brgemm_prefetch {
public:
  static constexpr int64_t line = TPP_LINE_BYTES, page = TPP_PAGE_BYTES;
  static constexpr int64_t steps = 16;     // steps of k between prefetches of A
  static constexpr int64_t next_steps = 8; // of the next block: a few lines each time, because the loads after them wait for many
  static constexpr int64_t most_tiles = 12; // row tiles that prefetch the next block

  class cursor {
  public:
    // Issues the prefetches of B that are due. Returns the prefetch distance of rows of A in bytes; 0: none. Call it again after
    // until_next() steps.
    //
    // The next block of B goes to L2. Data needed soon, of A or of B, goes to L1: prefetched into L2 only, it would be requested from
    // there twice, by the prefetch and by the load. Prefetches past the last block are harmless.
    HWY_INLINE int64_t issue() {
      if (interval >= next_steps) {
        for (int64_t i = HWY_MIN(lines, left); i > 0; --i, --left, at += line)
          __builtin_prefetch(at, 0, 2);
        since_a += interval;
        if (since_a < steps)
          return 0;
        since_a = 0;
        return a_ahead;
      }
      const char *from = at;
      for (int64_t i = pages; i > 0; --i, from += page)
        for (int64_t l = 0; l < lines; ++l)
          __builtin_prefetch(from + l * line, 0, 3);
      at += lines * line;
      if (--left == 0) {
        at += (pages - 1) * page;
        left = page / (lines * line);
      }
      return 0;
    }
    HWY_INLINE int64_t until_next() const { return interval; }
    // Issues those of the next block that are due in `steps` steps of k.
    HWY_INLINE void issue_next() {
      for (int64_t due = interval; interval >= next_steps && due <= steps; due += interval)
        (void)issue();
    }

  private:
    friend class brgemm_prefetch;
    // Every `interval` steps of k, `lines` cache lines are prefetched from `at` on. Of the next block, `left` lines in all. Of a tile's own block, as many
    // at the same offset in each of the next pages - 1 pages; after `left` repetitions these pages are complete, and the `pages` pages after them are next.
    const char *at;
    int64_t lines, interval, pages, left, a_ahead, since_a;
  };

  // The cursor of the row tiles that are computed.
  cursor now;

  // What a column tile prefetches: its block of B, with row_bytes for each step of k, and its part of the next block. No bytes: nothing.
  struct column_tile {
    const char *block, *next;
    int64_t block_bytes, row_bytes, next_bytes;
  };

  // Leaves of `tile`, whose panels of B have `bytes` bytes, what invocation `use` of those with this B prefetches.
  static HWY_INLINE void take_share(const brgemm_prefetch_plan &plan, int64_t use, int64_t bytes, column_tile &tile) {
    int64_t shares = HWY_MIN(plan.uses, (most_tiles + plan.row_tiles - 1) / plan.row_tiles);
    if (bytes > plan.most_held)
      shares = plan.row_tiles > 2 ? 1 : 0;
    const auto number =
        static_cast<int64_t>(static_cast<uint64_t>(use) % static_cast<uint64_t>(plan.uses)) - (plan.uses - shares);
    tile.block_bytes = 0;
    if (number < 0 || shares == 0) {
      tile.next_bytes = 0;
      return;
    }
    const int64_t lines = (tile.next_bytes + line - 1) / line, share = (lines + shares - 1) / shares * line;
    tile.next += number * share;
    tile.next_bytes = HWY_MAX(HWY_MIN(tile.next_bytes - number * share, share), 0);
  }

  // Starts a column tile with `k` steps of the sum.
  HWY_INLINE void enter(const brgemm_prefetch_plan &plan, const column_tile &tile, int64_t k) {
    plan_ = &plan;
    tile_ = tile;
    now.a_ahead = plan.a_ahead, now.since_a = 0;
    last_tiles_ = plan.row_tiles;
    if (plan.own || tile.next_bytes == 0)
      return;
    // The next block, split evenly among the last row tiles.
    const int64_t prefetches = (k + next_steps - 1) / next_steps; // of a row tile
    const int64_t most = HWY_MIN(plan.row_tiles, most_tiles) * prefetches, all = (tile.next_bytes + line - 1) / line;
    next_lines_ = (all + most - 1) / most;
    left_ = all;
    last_tiles_ = plan.row_tiles - (all + next_lines_ * prefetches - 1) / (next_lines_ * prefetches);
  }

  // Sets the cursor for the row tiles from `tile` on. Returns the row tile at which it changes.
  HWY_INLINE int64_t phase(int64_t tile) {
    set(nullptr, 0, steps, 1, 0);
    if (tile == 0 && tile_.block_bytes != 0 && (plan_->own || plan_->row_tiles > most_tiles)) {
      set_own();
      return 1;
    }
    if (tile < last_tiles_)
      return last_tiles_;
    set(tile_.next, next_lines_, next_steps, 1, left_);
    return plan_->row_tiles;
  }

private:
  static constexpr int64_t own_steps = 2, // steps of k between prefetches of the first row tile
      own_pages_ahead = 3,                // prefetch distance of the first of many row tiles
      far_pages = 4;                      // pages read concurrently in blocks of at least least_far bytes
  static constexpr int64_t least_far = 128 * page;

  void set(const char *at, int64_t lines, int64_t interval, int64_t pages, int64_t left) {
    now.at = at, now.lines = lines, now.interval = interval, now.pages = pages, now.left = left;
  }

  // The first row tile prefetches its own block, a fixed distance ahead of the multiplication.
  void set_own() {
    constexpr int64_t page_lines = page / line;
    const int64_t lines = own_steps * tile_.row_bytes / line;
    const bool far = tile_.block_bytes >= least_far;
    if (lines == 0 || !(plan_->own ? !far || plan_->far : !far && tile_.block_bytes >= plan_->least_own))
      return;
    // A block this long mostly belongs to a B in memory, which delivers more bandwidth if several pages are read concurrently; L3
    // slightly less.
    const bool alternates = far && lines % far_pages == 0 && page_lines % (lines / far_pages) == 0;
    const int64_t pages = alternates ? far_pages : 1, each = lines / pages;
    set(tile_.block + (plan_->own ? pages : own_pages_ahead) * page, each, own_steps, pages, page_lines / each);
  }

  const brgemm_prefetch_plan *plan_;
  column_tile tile_;
  int64_t next_lines_, left_, last_tiles_;
};

} // namespace tpp
