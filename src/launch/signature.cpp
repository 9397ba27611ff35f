// Parameter lists: their text, their byte layout, and the packing of one launch's values.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/launch/signature.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace jute {
namespace {

struct KindRow {
  std::string_view name;
  int size_bytes;
  int alignment_bytes;
};

constexpr std::array<KindRow, 11> kKinds{{
    {"pointer", 8, 8},
    {"i32", 4, 4},
    {"u32", 4, 4},
    {"i64", 8, 8},
    {"u64", 8, 8},
    {"f32", 4, 4},
    {"f64", 8, 8},
    {"tensor_map", 128, 64},
    {"u8", 1, 1},
    {"u16", 2, 2},
    {"bytes", 0, 1},
}};

const KindRow& row_of(ParameterKind kind) { return kKinds[static_cast<size_t>(kind)]; }

constexpr int aligned(int offset, int alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

[[noreturn]] void throw_full(ParameterKind kind, int count) {
  jute::refuse(ErrorCode::out_of_range, "arguments",
               std::string(name(kind)) + " as number " + std::to_string(count),
               "the parameters of one launch must have at most " +
                   std::to_string(ArgumentBlock::kCapacityBytes) + " bytes together");
}

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

std::string_view name(ParameterKind kind) { return row_of(kind).name; }
int size_bytes(ParameterKind kind) { return row_of(kind).size_bytes; }
int alignment_bytes(ParameterKind kind) { return row_of(kind).alignment_bytes; }

int size_bytes(const Parameter& parameter) {
  return parameter.kind == ParameterKind::bytes ? parameter.bytes : size_bytes(parameter.kind);
}
int alignment_bytes(const Parameter& parameter) {
  return parameter.kind == ParameterKind::bytes ? std::max(parameter.alignment, 1)
                                                : alignment_bytes(parameter.kind);
}

int Signature::offset_bytes(size_t index) const {
  int offset = 0;
  for (size_t i = 0; i <= index; ++i) {
    const Parameter& parameter = parameters.at(i);
    offset = aligned(offset, alignment_bytes(parameter));
    if (i < index) offset += jute::size_bytes(parameter);
  }
  return offset;
}

int Signature::size_bytes() const {
  if (parameters.empty()) return 0;
  return offset_bytes(parameters.size() - 1) + jute::size_bytes(parameters.back());
}

std::string to_string(const Signature& signature) {
  std::string text = "(";
  for (const Parameter& parameter : signature.parameters) {
    if (text.size() > 1) text += ", ";
    text += name(parameter.kind);
    if (parameter.kind == ParameterKind::bytes) {
      text += "[" + std::to_string(parameter.bytes);
      if (parameter.alignment > 1) text += ":" + std::to_string(parameter.alignment);
      text += "]";
    }
    text += " " + parameter.name;
  }
  return text + ")";
}

ArgumentBlock& ArgumentBlock::pointer(DevicePointer value) {
  append(ParameterKind::pointer, bytes_of(value), alignment_bytes(ParameterKind::pointer));
  return *this;
}
ArgumentBlock& ArgumentBlock::u8(std::uint8_t value) {
  append(ParameterKind::u8, bytes_of(value), alignment_bytes(ParameterKind::u8));
  return *this;
}
ArgumentBlock& ArgumentBlock::u16(std::uint16_t value) {
  append(ParameterKind::u16, bytes_of(value), alignment_bytes(ParameterKind::u16));
  return *this;
}
ArgumentBlock& ArgumentBlock::i32(std::int32_t value) {
  append(ParameterKind::i32, bytes_of(value), alignment_bytes(ParameterKind::i32));
  return *this;
}
ArgumentBlock& ArgumentBlock::u32(std::uint32_t value) {
  append(ParameterKind::u32, bytes_of(value), alignment_bytes(ParameterKind::u32));
  return *this;
}
ArgumentBlock& ArgumentBlock::i64(std::int64_t value) {
  append(ParameterKind::i64, bytes_of(value), alignment_bytes(ParameterKind::i64));
  return *this;
}
ArgumentBlock& ArgumentBlock::u64(std::uint64_t value) {
  append(ParameterKind::u64, bytes_of(value), alignment_bytes(ParameterKind::u64));
  return *this;
}
ArgumentBlock& ArgumentBlock::f32(float value) {
  append(ParameterKind::f32, bytes_of(value), alignment_bytes(ParameterKind::f32));
  return *this;
}
ArgumentBlock& ArgumentBlock::f64(double value) {
  append(ParameterKind::f64, bytes_of(value), alignment_bytes(ParameterKind::f64));
  return *this;
}
ArgumentBlock& ArgumentBlock::tensor_map(const EncodedTensorMap& value) {
  append(ParameterKind::tensor_map, bytes_of(value), alignment_bytes(ParameterKind::tensor_map));
  return *this;
}
ArgumentBlock& ArgumentBlock::bytes(std::span<const std::byte> value, int alignment) {
  append(ParameterKind::bytes, value, std::max(alignment, 1));
  return *this;
}

// A value that does not fit takes all of them to the heap.
void ArgumentBlock::grow(int end) {
  const bool fits = end <= kInlineBytes && count_ < kInlineArguments;
  if (far_bytes_.empty() && fits) return;
  const size_t lines = (static_cast<size_t>(std::max(end, 1)) + sizeof(Line) - 1) / sizeof(Line);
  if (far_bytes_.empty()) {
    std::vector<Line> lines_made(lines);
    std::memcpy(lines_made.front().bytes.data(), bytes_.data(), static_cast<size_t>(size_));
    far_kinds_.assign(kinds_.begin(), kinds_.begin() + count_);
    far_offsets_.assign(offsets_.begin(), offsets_.begin() + count_);
    far_bytes_ = std::move(lines_made);
  } else if (lines > far_bytes_.size()) {
    far_bytes_.resize(lines);
  }
  far_kinds_.resize(static_cast<size_t>(count_) + 1);
  far_offsets_.resize(static_cast<size_t>(count_) + 1);
}

void ArgumentBlock::append(ParameterKind kind, std::span<const std::byte> value, int alignment) {
  constexpr int kMostAlignment = 1024;
  const bool is_sound = std::has_single_bit(static_cast<unsigned>(alignment)) &&
                        alignment <= kMostAlignment && value.size() <= kCapacityBytes;
  if (!is_sound) throw_full(kind, count_ + 1);
  const int offset = aligned(size_, alignment);
  const int end = offset + static_cast<int>(value.size());
  if (end > kCapacityBytes) throw_full(kind, count_ + 1);
  grow(end);
  std::byte* const data = far_bytes_.empty() ? bytes_.data() : far_bytes_.front().bytes.data();
  // Gaps are zero, so that equal arguments are equal bytes.
  std::memset(data + size_, 0, static_cast<size_t>(offset - size_));
  if (!value.empty()) std::memcpy(data + offset, value.data(), value.size());
  const auto at = static_cast<size_t>(count_++);
  (far_kinds_.empty() ? kinds_.data() : far_kinds_.data())[at] = kind;
  (far_offsets_.empty() ? offsets_.data() : far_offsets_.data())[at] =
      static_cast<std::uint16_t>(offset);
  size_ = end;
}

// Structs of other sizes or alignments move what follows them.
void ArgumentBlock::check_places(const Signature& signature) const {
  int end = 0;
  for (size_t i = 0; i < signature.parameters.size(); ++i) {
    const Parameter& parameter = signature.parameters[i];
    const int offset = aligned(end, alignment_bytes(parameter));
    end = offset + size_bytes(parameter);
    const int given_end = i + 1 < offsets().size() ? offsets()[i + 1] : size_;
    if (offset == offsets()[i] && end <= given_end) continue;
    jute::refuse(
        ErrorCode::signature_mismatch, parameter.name,
        "byte " + std::to_string(offsets()[i]) + " to at most " + std::to_string(given_end),
        "it must have the size and alignment of parameter " + std::to_string(i + 1) + " of " +
            to_string(signature));
  }
}

void ArgumentBlock::check(const Signature& signature) const {
  const auto& wanted = signature.parameters;
  const auto given = kinds();
  const size_t common = std::min(wanted.size(), given.size());
  for (size_t i = 0; i < common; ++i)
    if (wanted[i].kind != given[i])
      jute::refuse(ErrorCode::signature_mismatch, wanted[i].name, std::string(name(given[i])),
                   "it must have the type of parameter " + std::to_string(i + 1) + " of " +
                       to_string(signature),
                   std::string(name(wanted[i].kind)));
  if (wanted.size() == given.size()) return check_places(signature);
  const std::string first =
      wanted.size() > common ? "`" + wanted[common].name + "` is missing" : "the rest is too much";
  jute::refuse(ErrorCode::signature_mismatch,
               wanted.size() > common ? wanted[common].name : "arguments",
               std::to_string(given.size()) + " arguments",
               "the arguments must be the kernel's, " + to_string(signature) + "; " + first,
               std::to_string(wanted.size()) + " arguments");
}

}  // namespace jute
