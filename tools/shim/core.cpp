// The library as the object in front of cuBLAS opens it.
#include <jute/shim/cublas_seen.hpp>

extern "C" __attribute__((visibility("default"))) const jute::ShimCore* jute_shim_start(
    const jute::ShimStart* start) {
  return jute::start_shim(*start);
}
