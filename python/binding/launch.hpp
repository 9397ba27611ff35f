#pragma once
// The launch of a prepared product, whose addresses a caller without Python fills in.
#include "run.hpp"

namespace jute::python {

struct Launch {
  std::shared_ptr<Prepared> prepared;
  GemmArgs args;                      ///< as arrays lay when it was made
  std::optional<std::size_t> bias{};  ///< the place of the epilogue's input of this name
};

}  // namespace jute::python
