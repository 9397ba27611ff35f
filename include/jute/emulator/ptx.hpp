#pragma once
// What a PTX text says of its kernels: enough to build a Binary from the text alone.
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/signature.hpp>
#include <jute/launch/source.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// One `.entry` of a PTX text.
struct PtxKernel {
  std::string symbol;
  /// Kinds as far as PTX tells them: `.u32` and `.s32` are u32 and i32; `.u64` is a pointer unless
  /// other parameters of the text carry `.ptr`; 128 bytes aligned to 64 are a tensor map; other
  /// byte arrays become words `name[0]`, `name[1]`, ….
  Signature signature;
  Arch target;
  std::array<int, 3> max_threads{0, 0, 0};  ///< .maxntid or .reqntid; 0 not given
  Index static_smem_bytes = 0;              ///< of the shared variables that the text declares
  bool operator==(const PtxKernel&) const = default;
};

/// The kernels of a text in its order.
///   throws  bad_file with line and column
[[nodiscard]] std::vector<PtxKernel> list_kernels(std::string_view ptx);

/// A Binary that open_emulator's back end loads: symbol, signature and text of one kernel; an empty
/// symbol takes the only one.
///   throws  bad_file; unknown_name: no such kernel, or several and none named
[[nodiscard]] Binary binary_from_ptx(std::string_view ptx, std::string_view symbol = {});

}  // namespace jute
