#pragma once
// Generated sources and their binaries as files, for people to read.
#include <jute/launch/source.hpp>

#include <string>

namespace jute::gemm {

/// Writes SYMBOL.cu, SYMBOL.ptx and, where they are not empty, SYMBOL.cubin and SYMBOL.log.
///   throws  unwritable
void dump(const std::string& directory, const Source& source, const Binary& binary);

}  // namespace jute::gemm
