// Reads the machine and the build id from the header and the notes of an ELF file.
#include "jit/elf_file.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

#include "base/format.hpp"

namespace jute::jit {
namespace {

constexpr std::uint64_t kLongestNotes = 1 << 16;

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T& value) {
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(&value), sizeof value);
  return file.good();
}

size_t padded(size_t size) { return (size + 3) / 4 * 4; }

/// The build id among the notes of one segment, or nothing.
std::string find_build_id(const std::vector<char>& notes) {
  size_t at = 0;
  while (notes.size() - at >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const size_t name_at = at + sizeof note;
    const size_t value_at = name_at + padded(note.n_namesz);
    const size_t end = value_at + padded(note.n_descsz);
    if (end > notes.size()) return {};
    const std::string_view name(notes.data() + name_at, note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && name == std::string_view("GNU\0", 4)) {
      std::string text;
      for (size_t i = 0; i < note.n_descsz; ++i)
        text += base::format("{:02x}", static_cast<unsigned char>(notes[value_at + i]));
      return text;
    }
    at = end;
  }
  return {};
}

}  // namespace

std::optional<ElfFile> read_elf_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file || !read_at(file, 0, header)) return std::nullopt;
  constexpr unsigned char kOwnOrder =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != kOwnOrder || header.e_type != ET_DYN ||
      header.e_phentsize != sizeof(Elf64_Phdr))
    return std::nullopt;
  ElfFile result{.machine = header.e_machine, .build_id = {}};
  for (unsigned i = 0; i < header.e_phnum && result.build_id.empty(); ++i) {
    Elf64_Phdr segment;
    if (!read_at(file, header.e_phoff + i * sizeof segment, segment)) return std::nullopt;
    if (segment.p_type != PT_NOTE) continue;
    std::vector<char> notes(std::min<std::uint64_t>(segment.p_filesz, kLongestNotes));
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(notes.data(), static_cast<std::streamsize>(notes.size()));
    if (!file.good()) return std::nullopt;
    result.build_id = find_build_id(notes);
  }
  return result;
}

bool is_for_this_machine(const ElfFile& file) {
#if defined(__x86_64__)
  return file.machine == EM_X86_64;
#elif defined(__aarch64__)
  return file.machine == EM_AARCH64;
#else
  return true;  // the loader decides
#endif
}

}  // namespace jute::jit
