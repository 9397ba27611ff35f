#pragma once
// Refusals that are told otherwise than they were made: with the flag, the file, the line.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>

#include <utility>

namespace JUTE_API jute {

/// What `make` gives; what it refuses is told as `change` leaves it.
template <class Make, class Change>
decltype(auto) retold(const Make& make, const Change& change) {
  try {
    return make();
  } catch (const Exception& exception) {
    Error error = exception.error();
    change(error);
    throw Exception(std::move(error));
  }
}

}  // namespace jute
