// Refuses by name what is not emulated.
#include "refuse.hpp"

namespace jute::stand_in {

driver::Status refuse(const char* call) {
  say(call, "CUDA_ERROR_NOT_SUPPORTED: jute's stand-in driver does not have this function");
  return kNotSupported;
}

}  // namespace jute::stand_in
