// Reads fat binaries: a header, and an entry for each form of the code, whose text may be packed.
#include "runtime/fat_binary.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <utility>

namespace jute::stand_in {
namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint32_t kHeaderMagic = 0xBA55ED50;
constexpr std::uint16_t kPtx = 1;
constexpr std::uint64_t kLz4 = 0x2000, kZstd = 0x8000;

struct Wrapper {
  std::uint32_t magic, version;
  const unsigned char* data;
  const void* file;
};
struct Header {
  std::uint32_t magic;
  std::uint16_t version, header_bytes;
  std::uint64_t bytes;
};
struct Entry {
  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
  std::uint32_t packed_bytes, options;
  std::uint16_t minor, major;
  std::uint32_t arch, name_at, name_bytes;
  std::uint64_t flags, reserved, whole_bytes;
};

/// LZ4's blocks: literals, then a copy from what was written, until the text ends.
std::optional<std::string> unpacked_lz4(const unsigned char* at, std::size_t bytes,
                                        std::size_t whole) {
  const unsigned char* const end = at + bytes;
  std::string text;
  const auto length = [&](std::size_t first) {
    std::size_t sum = first;
    if (first != 15) return sum;
    for (unsigned char more = 255; more == 255 && at < end;) sum += more = *at++;
    return sum;
  };
  while (at < end && text.size() < whole) {
    const unsigned char token = *at++;
    const std::size_t literals = length(token >> 4);
    if (literals > static_cast<std::size_t>(end - at)) return std::nullopt;
    text.append(reinterpret_cast<const char*>(at), literals);
    at += literals;
    if (end - at < 2) break;
    const std::size_t back = at[0] | at[1] << 8;
    at += 2;
    std::size_t count = length(token & 15) + 4;
    if (back == 0 || back > text.size() || count > whole) return std::nullopt;
    for (; count > 0; --count) text.push_back(text[text.size() - back]);
  }
  return text.size() == whole ? std::optional(std::move(text)) : std::nullopt;
}

/// By the system's library, which compilers bring.
std::optional<std::string> unpacked_zstd(const unsigned char* at, std::size_t bytes,
                                         std::size_t whole) {
  using Unpack = std::size_t (*)(void*, std::size_t, const void*, std::size_t);
  static const auto unpack = [] {
    void* const library = dlopen("libzstd.so.1", RTLD_NOW);
    return library == nullptr ? nullptr
                              : reinterpret_cast<Unpack>(dlsym(library, "ZSTD_decompress"));
  }();
  std::string text(whole, '\0');
  if (unpack == nullptr || unpack(text.data(), whole, at, bytes) != whole) return std::nullopt;
  return text;
}

std::optional<std::string> text_of(const Entry& entry, const unsigned char* at) {
  const auto packed = static_cast<std::size_t>(entry.packed_bytes);
  const auto whole = static_cast<std::size_t>(entry.whole_bytes);
  if ((entry.flags & kZstd) != 0) return unpacked_zstd(at, packed, whole);
  if ((entry.flags & kLz4) != 0) return unpacked_lz4(at, packed, whole);
  return std::string(reinterpret_cast<const char*>(at), static_cast<std::size_t>(entry.bytes));
}

}  // namespace

std::vector<std::string> ptx_of(const void* wrapper, std::string& lacking) {
  Wrapper outer;
  Header header;
  std::memcpy(&outer, wrapper, sizeof outer);
  if (outer.magic != kWrapperMagic) return {};
  std::memcpy(&header, outer.data, sizeof header);
  if (header.magic != kHeaderMagic) return {};
  std::vector<std::pair<std::uint32_t, std::string>> found;
  const unsigned char* at = outer.data + header.header_bytes;
  for (const unsigned char* const end = at + header.bytes; at < end;) {
    Entry entry;
    std::memcpy(&entry, at, sizeof entry);
    if (entry.header_bytes < sizeof entry) break;  // of no version that is known
    if (entry.kind == kPtx) {
      if (auto text = text_of(entry, at + entry.header_bytes))
        found.emplace_back(entry.arch, text->c_str());
      else
        lacking =
            "its PTX is packed in a way that needs libzstd.so.1: compile it by nvcc "
            "--compress-mode=none";
    }
    at += entry.header_bytes + entry.bytes;
  }
  std::ranges::stable_sort(found, std::greater<>{}, &std::pair<std::uint32_t, std::string>::first);
  std::vector<std::string> texts;
  for (auto& [arch, text] : found) texts.push_back(std::move(text));
  if (texts.empty() && lacking.empty())
    lacking = "it has no PTX, which alone is executed: compile it by nvcc -arch=compute_90";
  return texts;
}

}  // namespace jute::stand_in
