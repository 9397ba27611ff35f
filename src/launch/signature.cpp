// Parameter lists: their text, their byte layout, and the packing of one launch's values.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/launch/signature.hpp>

#include <algorithm>
#include <cstring>

namespace jute {
namespace {

struct KindRow {
  std::string_view name;
  int size_bytes;
  int alignment_bytes;
};

constexpr std::array<KindRow, 8> kKinds{{
    {"pointer", 8, 8},
    {"i32", 4, 4},
    {"u32", 4, 4},
    {"i64", 8, 8},
    {"u64", 8, 8},
    {"f32", 4, 4},
    {"f64", 8, 8},
    {"tensor_map", 128, 64},
}};

const KindRow& row_of(ParameterKind kind) { return kKinds[static_cast<size_t>(kind)]; }

constexpr int aligned(int offset, int alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

[[noreturn]] void throw_full(ParameterKind kind, int count) {
  throw Exception(
      {.code = ErrorCode::out_of_range,
       .operand = "arguments",
       .value = std::string(name(kind)) + " as number " + std::to_string(count),
       .violated_rules = {"one launch must take at most " +
                          std::to_string(ArgumentBlock::kMaxArguments) + " parameters and " +
                          std::to_string(ArgumentBlock::kCapacityBytes) + " bytes"}});
}

}  // namespace

std::string_view name(ParameterKind kind) { return row_of(kind).name; }
int size_bytes(ParameterKind kind) { return row_of(kind).size_bytes; }
int alignment_bytes(ParameterKind kind) { return row_of(kind).alignment_bytes; }

int Signature::offset_bytes(size_t index) const {
  int offset = 0;
  for (size_t i = 0; i <= index; ++i) {
    const KindRow& row = row_of(parameters.at(i).kind);
    offset = aligned(offset, row.alignment_bytes);
    if (i < index) offset += row.size_bytes;
  }
  return offset;
}

int Signature::size_bytes() const {
  if (parameters.empty()) return 0;
  return offset_bytes(parameters.size() - 1) + jute::size_bytes(parameters.back().kind);
}

std::string to_string(const Signature& signature) {
  std::string text = "(";
  for (const Parameter& parameter : signature.parameters) {
    if (text.size() > 1) text += ", ";
    text += std::string(name(parameter.kind)) + " " + parameter.name;
  }
  return text + ")";
}

ArgumentBlock& ArgumentBlock::pointer(DevicePointer value) {
  append(ParameterKind::pointer, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::i32(std::int32_t value) {
  append(ParameterKind::i32, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::u32(std::uint32_t value) {
  append(ParameterKind::u32, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::i64(std::int64_t value) {
  append(ParameterKind::i64, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::u64(std::uint64_t value) {
  append(ParameterKind::u64, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::f32(float value) {
  append(ParameterKind::f32, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::f64(double value) {
  append(ParameterKind::f64, &value);
  return *this;
}
ArgumentBlock& ArgumentBlock::tensor_map(const EncodedTensorMap& value) {
  append(ParameterKind::tensor_map, &value);
  return *this;
}

void ArgumentBlock::append(ParameterKind kind, const void* value) {
  const KindRow& row = row_of(kind);
  const int offset = aligned(size_, row.alignment_bytes);
  const int end = offset + row.size_bytes;
  if (end > kCapacityBytes || count_ == kMaxArguments) throw_full(kind, count_ + 1);
  // Gaps are zero, so that equal arguments are equal bytes.
  std::memset(bytes_.data() + size_, 0, static_cast<size_t>(offset - size_));
  std::memcpy(bytes_.data() + offset, value, static_cast<size_t>(row.size_bytes));
  kinds_[static_cast<size_t>(count_++)] = kind;
  size_ = end;
}

void ArgumentBlock::check(const Signature& signature) const {
  const auto& wanted = signature.parameters;
  const auto given = kinds();
  const size_t common = std::min(wanted.size(), given.size());
  for (size_t i = 0; i < common; ++i)
    if (wanted[i].kind != given[i])
      throw Exception({.code = ErrorCode::signature_mismatch,
                       .operand = wanted[i].name,
                       .value = std::string(name(given[i])),
                       .violated_rules = {"it must have the type of parameter " +
                                          std::to_string(i + 1) + " of " + to_string(signature)},
                       .nearest_legal = std::string(name(wanted[i].kind))});
  if (wanted.size() == given.size()) return;
  const std::string first =
      wanted.size() > common ? "`" + wanted[common].name + "` is missing" : "the rest is too much";
  throw Exception({.code = ErrorCode::signature_mismatch,
                   .operand = wanted.size() > common ? wanted[common].name : "arguments",
                   .value = std::to_string(given.size()) + " arguments",
                   .violated_rules = {"the arguments must be the kernel's, " +
                                      to_string(signature) + "; " + first},
                   .nearest_legal = std::to_string(wanted.size()) + " arguments"});
}

}  // namespace jute
