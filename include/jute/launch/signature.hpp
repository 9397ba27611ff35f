#pragma once
// The typed parameter list of a kernel, and one launch's values packed by it.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// An address in the memory of one Backend; 0 is no address.
using DevicePointer = std::uint64_t;

enum class ParameterKind : std::uint8_t { pointer, i32, u32, i64, u64, f32, f64, tensor_map };

[[nodiscard]] std::string_view name(ParameterKind kind);
/// pointer 8, i32 4, …, tensor_map 128
[[nodiscard]] int size_bytes(ParameterKind kind);
/// Natural alignment; tensor_map 64 (PTX ISA, tensor-map object).
[[nodiscard]] int alignment_bytes(ParameterKind kind);

struct Parameter {
  std::string name = {};
  ParameterKind kind = ParameterKind::pointer;
  bool operator==(const Parameter&) const = default;
};

/// Parameters in kernel order.
struct Signature {
  std::vector<Parameter> parameters = {};
  bool operator==(const Signature&) const = default;
  /// Byte offset of parameter `index`, each aligned naturally, as the CUDA ABI places them.
  [[nodiscard]] int offset_bytes(size_t index) const;
  [[nodiscard]] int size_bytes() const;
};
/// `(pointer a, i32 m)`; parse_signature reads it back.
[[nodiscard]] std::string to_string(const Signature& signature);
/// A name is a C identifier; spaces are free.
///   throws  syntax: with the position and, for a misspelled type, the nearest one
[[nodiscard]] Signature parse_signature(std::string_view text);

/// A driver's 128-byte tensor map, or the emulator's own behind the same size.
struct alignas(64) EncodedTensorMap {
  std::array<std::byte, 128> bytes{};
  bool operator==(const EncodedTensorMap&) const = default;
};

/// The parameter bytes of one launch, filled in order and type-checked against a Signature. Never
/// allocates; copies are cheap enough for a launch path.
class ArgumentBlock {
 public:
  static constexpr int kCapacityBytes = 1024;
  static constexpr int kMaxArguments = 64;

  // Written out so that `{}` does not clear the kilobyte, which no launch needs.
  ArgumentBlock() noexcept {}

  /// Each appends one value.
  ///   throws  out_of_range: more than kMaxArguments values or kCapacityBytes
  ArgumentBlock& pointer(DevicePointer value);
  ArgumentBlock& i32(std::int32_t value);
  ArgumentBlock& u32(std::uint32_t value);
  ArgumentBlock& i64(std::int64_t value);
  ArgumentBlock& u64(std::uint64_t value);
  ArgumentBlock& f32(float value);
  ArgumentBlock& f64(double value);
  ArgumentBlock& tensor_map(const EncodedTensorMap& value);

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {bytes_.data(), static_cast<size_t>(size_)};
  }
  [[nodiscard]] std::span<const ParameterKind> kinds() const {
    return {kinds_.data(), static_cast<size_t>(count_)};
  }
  /// throws  signature_mismatch: names the first parameter that differs
  void check(const Signature& signature) const;

 private:
  void append(ParameterKind kind, const void* value);
  alignas(64) std::array<std::byte, kCapacityBytes> bytes_;
  std::array<ParameterKind, kMaxArguments> kinds_;
  int size_ = 0;
  int count_ = 0;
};

}  // namespace jute
