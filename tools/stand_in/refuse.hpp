#pragma once
// The functions of a driver that the stand-in lacks.
#include "call.hpp"

namespace jute::stand_in {

/// Says which, and returns CUDA_ERROR_NOT_SUPPORTED.
driver::Status refuse(const char* call);

}  // namespace jute::stand_in
