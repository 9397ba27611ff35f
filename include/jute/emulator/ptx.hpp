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

/// A kernel parameter where the PTX text declares it.
struct PtxParameter {
  std::string name;
  Index offset_bytes = 0;
  Index bytes = 0;
  int alignment = 1;
  bool is_array = false;  ///< `.b8 p[24]`: a struct, an array or a tensor map
  bool operator==(const PtxParameter&) const = default;
};

/// One `.entry` of a PTX text.
struct PtxKernel {
  std::string symbol;
  /// Kinds as far as PTX tells them: `.u32` and `.s32` are u32 and i32; `.u64` is a pointer unless
  /// other parameters of the text carry `.ptr`; 128 bytes aligned to 64 are a tensor map; other
  /// arrays are bytes.
  Signature signature;
  std::vector<PtxParameter> parameters;
  Arch target;
  std::array<int, 3> max_threads{0, 0, 0};  ///< .maxntid or .reqntid; 0 not given
  Index static_smem_bytes = 0;              ///< of the shared variables that the text declares
  bool operator==(const PtxKernel&) const = default;
};

/// The byte at which each argument of these kinds lies among the kernel's parameters: one argument
/// a parameter, of its size, or a struct's fields one after the other, each naturally aligned.
///   throws  signature_mismatch: names the first parameter that is not filled, or filled wrongly
[[nodiscard]] std::vector<Index> place_arguments(const std::vector<PtxParameter>& declared,
                                                 const Signature& arguments);

/// The kernels of a text in its order.
///   throws  bad_file with line and column
[[nodiscard]] std::vector<PtxKernel> list_kernels(std::string_view ptx);

/// A Binary that open_emulator's back end loads: symbol, signature and text of one kernel; an empty
/// symbol takes the only one.
///   throws  bad_file; unknown_name: no such kernel, or several and none named
[[nodiscard]] Binary binary_from_ptx(std::string_view ptx, std::string_view symbol = {});

}  // namespace jute
