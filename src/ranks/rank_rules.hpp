#pragma once
// What holds for ranks however they meet.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/base/types.hpp>

#include <string>

#include "base/format.hpp"

namespace jute::ranks {

inline void require_rank(Index rank, Index size) {
  if (rank < 0 || rank >= size)
    jute::refuse(ErrorCode::out_of_range, "rank", std::to_string(rank),
                 base::format("it must be below the {} ranks", size));
}

}  // namespace jute::ranks
