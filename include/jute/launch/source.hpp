#pragma once
// What crosses from the code generator to the compiler, and from the compiler to a back end.
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>
#include <jute/launch/signature.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// One header-free CUDA text that defines one kernel.
struct Source {
  std::string symbol = {};  ///< kernel name, extern "C"
  std::string text = {};
  Arch arch = {};
  Signature signature = {};
  int threads_per_block = 0;
  Index dynamic_smem_bytes = 0;
  bool operator==(const Source&) const = default;
};

/// Resources of the assembled kernel, read from ptxas' report.
struct Resources {
  int registers = 0;
  int stack_bytes = 0;
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  int static_smem_bytes = 0;
  bool serialized = false;  ///< wgmma products are run one by one, where the text lets them overlap
  bool operator==(const Resources&) const = default;
};

/// A compiled kernel. `cubin` is empty and `resources` unset when only PTX was asked for.
struct Binary {
  std::string symbol = {};
  Arch arch = {};
  Signature signature = {};
  std::string ptx = {};
  std::vector<std::byte> cubin = {};
  std::optional<Resources> resources = {};
  std::string log = {};          ///< everything the compiler said, also on success
  std::string source_text = {};  ///< for reports that name source lines; may be empty
  bool operator==(const Binary&) const = default;
};

}  // namespace jute
