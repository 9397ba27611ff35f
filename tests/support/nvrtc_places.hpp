#pragma once
// Places of CUDA's that no test finds by what the machine has.
#include "jit/cuda_places.hpp"

namespace jute::test {

inline jit::NvrtcPlaces nowhere() {
  jit::NvrtcPlaces places;
  places.toolkits = {};
  places.project_folders = {};
  places.built_beside = {};
  return places;
}

}  // namespace jute::test
