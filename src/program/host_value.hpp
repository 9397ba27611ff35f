#pragma once
// What is known of a program's variables without running it.
#include <jute/launch/launch_spec.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace jute::program {

/// Memory that a program asks for, by its place among all that it asks for.
struct MemoryName {
  std::size_t index = 0;
  std::optional<std::int64_t> offset_bytes = 0;  ///< of an address inside; none: not known
  std::int64_t each = 0;  ///< bytes of what the pointer points at; 0: not known
};
/// A type that a template's parameter, an alias or a structure's name stands for.
struct TypeName {
  std::string name;
  std::int64_t bytes = 0;  ///< of a structure whose members are known
  std::int64_t alignment = 1;
};

/// `monostate`: not known.
using HostValue = std::variant<std::monostate, std::int64_t, double, Dim3, MemoryName, TypeName>;

/// Variables, constants and template parameters by name.
struct HostScope {
  const HostScope* outer = nullptr;
  std::map<std::string, HostValue, std::less<>> values = {};
  std::map<std::string, std::string, std::less<>> types = {};  ///< "float" of `const float* x`
  std::map<std::string, int, std::less<>> depths = {};         ///< of braces, at the declaration

  [[nodiscard]] HostValue value(std::string_view name) const {
    const auto found = values.find(name);
    if (found != values.end()) return found->second;
    return outer == nullptr ? HostValue() : outer->value(name);
  }
  [[nodiscard]] std::string type(std::string_view name) const {
    const auto found = types.find(name);
    if (found != types.end()) return found->second;
    return outer == nullptr ? std::string() : outer->type(name);
  }
};

[[nodiscard]] inline bool is_known(const HostValue& value) { return value.index() != 0; }

}  // namespace jute::program
