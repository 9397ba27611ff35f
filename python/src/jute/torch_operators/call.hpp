#pragma once
// What an operator of torch's hands to jute. The two are compiled apart, by other compilers:
// numbers, addresses and a table of functions cross, nothing else.
#include <array>
#include <atomic>
#include <cstdint>

struct _object;  // PyObject

namespace jute::torch_operators {

/// The operators that are overridden, each with its forms that write to `out` or in place.
enum class Operation : std::uint8_t { mm, addmm, bmm, baddbmm, scaled_mm, grouped_mm };

/// What a tensor is to an operator: d is given where the operator writes to it, added is addmm's
/// self and a bias, list the ends of groups.
enum Role : std::uint8_t { kA, kB, kAdded, kD, kScaleA, kScaleB, kList, kRoles };

inline constexpr int kMostAxes = 3;

/// A tensor as it lies, in elements; address null: the call has none.
struct Lies {
  const void* address = nullptr;
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;
  std::int32_t rank = 0;
  std::int32_t type = -1;  ///< torch's number
};

/// What torch was told that decides which kernels may serve.
struct Switches {
  bool tf32 = false;        ///< f32 may be multiplied as tf32
  bool fast_accum = false;  ///< _scaled_mm's use_fast_accum
};

struct Call {
  Operation operation{};
  Switches switches{};
  std::int32_t device = 0;
  std::int32_t type_of_d = -1;  ///< torch's number, where the call says it
  double alpha = 1, beta = 1;
  std::array<Lies, kRoles> tensors{};
};

/// What was decided about calls that lie alike.
struct Decision {
  std::atomic<bool> serves = false;  ///< else the call goes on to torch
  std::int64_t workspace_bytes = 0;  ///< that a run needs
  mutable std::atomic<std::uint64_t> calls = 0;
};

/// jute's half. Nothing throws.
struct Functions {
  /// Null: nothing was decided about calls like this one.
  const Decision* (*find)(const Call& call);
  /// With the GIL: keeps what Python decided, a Launch or a text that says why torch serves.
  const Decision* (*keep)(const Call& call, _object* decided);
  /// Is the stream recorded into a graph?
  bool (*is_capturing)(void* stream);
  /// Makes a new workspace ready.
  bool (*clear)(const Decision& decision, void* workspace, void* stream);
  /// Queues the launch; false: jute refused, and torch serves this call.
  bool (*run)(const Decision& decision, const Call& call, void* workspace, void* stream);
};

inline constexpr const char* kCapsule = "jute.torch_operators.1";  ///< counts changes of this file

}  // namespace jute::torch_operators
