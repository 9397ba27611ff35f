#pragma once
// What a name in CuTe's spelling says, against the row that has it.
#include <jute/atom/atom.hpp>

#include <string>
#include <vector>

namespace jute::atom {

/// SM80_16x8x16_F32F16F16F32_TN is of sm_80, of 16x8x16, of D f32, A f16, B f16 and C f32. Adds a
/// rule for each of them that the row does not keep; names of another kind say nothing.
void check_told_name(std::vector<std::string>& broken, const MmaAtom& atom);

}  // namespace jute::atom
