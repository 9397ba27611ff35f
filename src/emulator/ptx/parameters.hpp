#pragma once
// A kernel's parameters as its PTX text declares them.
#include "emulator/ptx/ptx_ast.hpp"

#include <jute/emulator/ptx.hpp>

#include <vector>

namespace jute::emulator {

/// Parameters in order, each where its size and alignment put it.
[[nodiscard]] std::vector<PtxParameter> declared_parameters(const PtxFunction& entry);
/// The first byte behind them.
[[nodiscard]] Index parameter_bytes(const std::vector<PtxParameter>& parameters);

}  // namespace jute::emulator
