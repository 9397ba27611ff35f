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

enum class ParameterKind : std::uint8_t {
  pointer,
  i32,
  u32,
  i64,
  u64,
  f32,
  f64,
  tensor_map,
  u8,     ///< and every other type of one byte: char, bool
  u16,    ///< and every other type of two bytes: short, a half
  bytes,  ///< a struct or an array as it lies in memory
};

[[nodiscard]] std::string_view name(ParameterKind kind);
/// pointer 8, i32 4, …, tensor_map 128; bytes 0: each parameter says its own
[[nodiscard]] int size_bytes(ParameterKind kind);
/// Natural alignment; tensor_map 64 (PTX ISA, tensor-map object); bytes 1.
[[nodiscard]] int alignment_bytes(ParameterKind kind);

struct Parameter {
  std::string name = {};
  ParameterKind kind = ParameterKind::pointer;
  int bytes = 0;      ///< of kind bytes
  int alignment = 0;  ///< of kind bytes: a power of two; 0 counts as 1
  bool operator==(const Parameter&) const = default;
};
[[nodiscard]] int size_bytes(const Parameter& parameter);
[[nodiscard]] int alignment_bytes(const Parameter& parameter);

/// Parameters in kernel order.
struct Signature {
  std::vector<Parameter> parameters = {};
  bool operator==(const Signature&) const = default;
  /// Byte offset of parameter `index`, each aligned naturally, as the CUDA ABI places them.
  [[nodiscard]] int offset_bytes(size_t index) const;
  [[nodiscard]] int size_bytes() const;
};
/// `(pointer a, i32 m, bytes[24:8] s)`, where 24 is the size and 8 the alignment of a struct;
/// parse_signature reads it back.
[[nodiscard]] std::string to_string(const Signature& signature);
/// A name is a C identifier; spaces are free.
///   throws  syntax: with the position and, for a misspelled type, the nearest one
[[nodiscard]] Signature parse_signature(std::string_view text);

/// A driver's 128-byte tensor map, or the emulator's own behind the same size.
struct alignas(64) EncodedTensorMap {
  std::array<std::byte, 128> bytes{};
  bool operator==(const EncodedTensorMap&) const = default;
};

/// The parameter bytes of one launch, filled in order and type-checked against a Signature. Up to
/// kInlineArguments values of kInlineBytes together it never allocates, and copies are cheap enough
/// for a launch path.
class ArgumentBlock {
 public:
  static constexpr int kCapacityBytes = 32764;  ///< CUDA's own limit
  static constexpr int kInlineBytes = 1024;
  static constexpr int kInlineArguments = 64;

  // Written out so that `{}` does not clear the kilobyte, which no launch needs.
  ArgumentBlock() noexcept {}

  /// Each appends one value.
  ///   throws  out_of_range: more than kCapacityBytes
  ArgumentBlock& pointer(DevicePointer value);
  ArgumentBlock& u8(std::uint8_t value);
  ArgumentBlock& u16(std::uint16_t value);
  ArgumentBlock& i32(std::int32_t value);
  ArgumentBlock& u32(std::uint32_t value);
  ArgumentBlock& i64(std::int64_t value);
  ArgumentBlock& u64(std::uint64_t value);
  ArgumentBlock& f32(float value);
  ArgumentBlock& f64(double value);
  ArgumentBlock& tensor_map(const EncodedTensorMap& value);
  /// A struct or an array; `alignment` is a power of two.
  ArgumentBlock& bytes(std::span<const std::byte> value, int alignment);

  [[nodiscard]] std::span<const std::byte> bytes() const {
    return {far_bytes_.empty() ? bytes_.data() : far_bytes_.front().bytes.data(),
            static_cast<size_t>(size_)};
  }
  [[nodiscard]] std::span<const ParameterKind> kinds() const {
    return {far_kinds_.empty() ? kinds_.data() : far_kinds_.data(), static_cast<size_t>(count_)};
  }
  /// Where each value begins in bytes().
  [[nodiscard]] std::span<const std::uint16_t> offsets() const {
    return {far_offsets_.empty() ? offsets_.data() : far_offsets_.data(),
            static_cast<size_t>(count_)};
  }
  /// throws  signature_mismatch: names the first parameter that differs
  void check(const Signature& signature) const;

 private:
  struct alignas(64) Line {
    std::array<std::byte, 64> bytes{};
  };
  void append(ParameterKind kind, std::span<const std::byte> value, int alignment);
  void grow(int end);
  void check_places(const Signature& signature) const;

  alignas(64) std::array<std::byte, kInlineBytes> bytes_;
  std::array<ParameterKind, kInlineArguments> kinds_;
  std::array<std::uint16_t, kInlineArguments> offsets_;
  // Everything, once it does not fit above.
  std::vector<Line> far_bytes_;
  std::vector<ParameterKind> far_kinds_;
  std::vector<std::uint16_t> far_offsets_;
  int size_ = 0;
  int count_ = 0;
};

}  // namespace jute
