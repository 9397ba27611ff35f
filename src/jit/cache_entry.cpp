// Writes and reads cache entries.
#include "jit/cache_entry.hpp"

#include <jute/base/detail/hash.hpp>

#include <algorithm>
#include <array>
#include <cstring>

namespace jute::jit {
namespace {

constexpr std::string_view kMagic = "jutekern";
constexpr size_t kChecksumBytes = 16;
constexpr size_t kTexts = 5;
constexpr size_t kResourceNumbers = 6;
constexpr size_t kHeaderBytes = kMagic.size() + 4 + kTexts * 8 + 4 + kResourceNumbers * 4;

class Writer {
 public:
  template <class Number>
  void number(Number value) {
    for (size_t i = 0; i < sizeof value; ++i)
      bytes_.push_back(
          static_cast<std::byte>((static_cast<std::uint64_t>(value) >> (8 * i)) & 255));
  }
  void text(std::string_view value) {
    const auto* begin = reinterpret_cast<const std::byte*>(value.data());
    bytes_.insert(bytes_.end(), begin, begin + value.size());
  }
  [[nodiscard]] std::vector<std::byte> finish() && {
    const Hash128 checksum = hash_128(bytes_);
    number(checksum.high);
    number(checksum.low);
    return std::move(bytes_);
  }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads within lengths that the caller has checked.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class Number>
  Number number() {
    std::uint64_t value = 0;
    for (size_t i = 0; i < sizeof(Number); ++i)
      value |= static_cast<std::uint64_t>(bytes_[i]) << (8 * i);
    bytes_ = bytes_.subspan(sizeof(Number));
    return static_cast<Number>(value);
  }
  std::string_view text(size_t size) {
    const std::string_view value(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return value;
  }
  [[nodiscard]] size_t left() const { return bytes_.size(); }

 private:
  std::span<const std::byte> bytes_;
};

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::vector<std::byte> write_entry(const EntryContent& content) {
  const std::array<std::string_view, kTexts> texts{content.key, content.symbol, content.ptx,
                                                   text_of(content.cubin), content.log};
  Writer writer;
  writer.text(kMagic);
  writer.number(kCacheSchema);
  for (const std::string_view text : texts) writer.number(static_cast<std::uint64_t>(text.size()));
  const Resources resources = content.resources.value_or(Resources{});
  writer.number(static_cast<std::uint32_t>(content.resources.has_value() ? 1 : 0));
  for (const int value : {resources.registers, resources.stack_bytes, resources.spill_store_bytes,
                          resources.spill_load_bytes, resources.static_smem_bytes})
    writer.number(static_cast<std::uint32_t>(value));
  writer.number(static_cast<std::uint32_t>(resources.serialized ? 1 : 0));
  for (const std::string_view text : texts) writer.text(text);
  return std::move(writer).finish();
}

std::optional<EntryContent> read_entry(std::span<const std::byte> bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes) return std::nullopt;
  const auto body = bytes.first(bytes.size() - kChecksumBytes);
  Reader checksum(bytes.last(kChecksumBytes));
  const auto high = checksum.number<std::uint64_t>();
  if (hash_128(body) != Hash128{high, checksum.number<std::uint64_t>()}) return std::nullopt;

  Reader reader(body);
  if (reader.text(kMagic.size()) != kMagic) return std::nullopt;
  if (reader.number<std::uint32_t>() != kCacheSchema) return std::nullopt;
  std::array<size_t, kTexts> sizes{};
  size_t left = body.size() - kHeaderBytes;
  for (size_t& size : sizes) {
    size = reader.number<std::uint64_t>();
    if (size > left) return std::nullopt;
    left -= size;
  }
  if (left != 0) return std::nullopt;
  EntryContent content;
  const bool has_resources = reader.number<std::uint32_t>() != 0;
  Resources resources;
  for (int* value : {&resources.registers, &resources.stack_bytes, &resources.spill_store_bytes,
                     &resources.spill_load_bytes, &resources.static_smem_bytes})
    *value = static_cast<int>(reader.number<std::uint32_t>());
  resources.serialized = reader.number<std::uint32_t>() != 0;
  if (has_resources) content.resources = resources;
  content.key = reader.text(sizes[0]);
  content.symbol = reader.text(sizes[1]);
  content.ptx = reader.text(sizes[2]);
  const auto cubin = std::as_bytes(std::span(reader.text(sizes[3])));
  content.cubin.assign(cubin.begin(), cubin.end());
  content.log = reader.text(sizes[4]);
  return content;
}

std::string_view key_field(std::string_view key, std::string_view name) {
  while (!key.empty()) {
    const size_t end = std::min(key.find('\n'), key.size());
    const std::string_view line = key.substr(0, end);
    if (line == "source") return {};
    if (line.starts_with(name) && line.substr(name.size()).starts_with(' '))
      return line.substr(name.size() + 1);
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return {};
}

}  // namespace jute::jit
