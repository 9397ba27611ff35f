#pragma once
// What a call of XLA's hands to jute. The two are compiled apart, by other compilers: numbers,
// texts, addresses and a table of functions cross, nothing else.
#include <cstdint>

namespace jute::jax_calls {

/// A prepared product, with its workspace on each device.
struct Product;

/// One execution. Operands and then results have an address, bytes and a role each, as `bind` of
/// jute._core said them.
struct Run {
  const std::int32_t* roles;
  void* const* addresses;
  const std::int64_t* bytes;
  std::int64_t count;
  const double* numbers;  ///< alpha, beta, and each input of the epilogue that is a number
  std::int64_t number_count;
  std::int32_t device;  ///< kHost, or the ordinal of a GPU
  void* stream;
};

inline constexpr std::int32_t kHost = -1;

/// jute's half. Nothing throws.
struct Functions {
  /// Null: jute refuses it.
  Product* (*prepare)(const char* problem, const char* choices, std::int32_t device);
  void (*release)(Product* product);
  /// Whatever a run needs on the device is there afterwards, in the stream's order; false: refused.
  bool (*make_ready)(Product& product, std::int32_t device, void* stream);
  bool (*run)(Product& product, const Run& run);
  /// What was refused last on this thread.
  const char* (*error)();
};

}  // namespace jute::jax_calls
