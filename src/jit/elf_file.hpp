#pragma once
// What the header of a shared library says, read without loading it.
#include <optional>
#include <string>

namespace jute::jit {

struct ElfFile {
  int machine = 0;       ///< e_machine: 62 x86-64, 183 AArch64
  std::string build_id;  ///< GNU build id in hex; empty when the file has none
};

/// Nothing when the file cannot be read or is no 64-bit ELF file in this machine's byte order.
///   source  System V ABI, object files; the GNU build-id note of ld(1)
[[nodiscard]] std::optional<ElfFile> read_elf_file(const std::string& path);

/// Is it a library that a program of this processor can load?
[[nodiscard]] bool is_for_this_machine(const ElfFile& file);

}  // namespace jute::jit
