#pragma once
// Instructions that some targets lack, as data that planning consults.
#include <jute/base/arch.hpp>

#include <cstdint>

namespace JUTE_API jute {

/// A feature that plans or kernels ask a target for. An atom's needs stand in its own row.
enum class ArchFeature : std::uint8_t {
  tanh,                ///< tanh.approx
  async_copies,        ///< cp.async
  small_floats,        ///< conversions of e4m3 and e5m2
  tma,                 ///< boxes of a tensor map, and barriers that count their bytes
  clusters,            ///< barriers and shared memory of a cluster
  dependent_launches,  ///< griddepcontrol
  register_exchange,   ///< setmaxnreg
  tensor_map_edits,    ///< tensormap.replace
};

/// The first target that has it; one with a suffix: no target without one has.
[[nodiscard]] Arch first_with(ArchFeature feature);
[[nodiscard]] bool provides(Arch target, ArchFeature feature);

}  // namespace jute
