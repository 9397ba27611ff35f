// The table of DLPack 1.2's exchange functions, as its specification lays it out.
#include "exchange.hpp"

#include <nanobind/ndarray.h>

namespace jute::python {

struct ExchangeVersion {
  std::uint32_t major, minor;
};
struct Exchange {
  ExchangeVersion version;
  const Exchange* previous;  ///< the functions of an earlier major version
  void* allocate;
  void* managed_from_object;
  void* managed_to_object;
  int (*tensor_from_object)(void* object, nb::dlpack::dltensor* tensor);  ///< may be missing
  int (*current_stream)(std::int32_t device_type, std::int32_t device, void** stream);
};

namespace {

constexpr std::uint32_t kKnownMajor = 1;

}  // namespace

const Exchange* exchange_of(nb::handle type) {
  const char* const attribute = "__dlpack_c_exchange_api__";
  if (!nb::hasattr(type, attribute)) return nullptr;
  const nb::object capsule = type.attr(attribute);
  const char* const name = "dlpack_exchange_api";
  if (PyCapsule_IsValid(capsule.ptr(), name) == 0) return nullptr;
  const auto* exchange = static_cast<const Exchange*>(PyCapsule_GetPointer(capsule.ptr(), name));
  while (exchange != nullptr && exchange->version.major != kKnownMajor)
    exchange = exchange->previous;
  const bool is_usable = exchange != nullptr && exchange->tensor_from_object != nullptr;
  return is_usable ? exchange : nullptr;
}

bool read_tensor(const Exchange& exchange, nb::handle tensor, std::optional<DType> as,
                 Array& array) {
  nb::dlpack::dltensor facts;
  if (exchange.tensor_from_object(tensor.ptr(), &facts) != 0) {
    PyErr_Clear();
    return false;
  }
  std::optional<DType> type = as;
  if (!as && facts.dtype.lanes == 1) type = type_of_dlpack(facts.dtype.code, facts.dtype.bits);
  if (as && (facts.dtype.bits * facts.dtype.lanes + 7) / 8 != width_bytes(*as)) return false;
  const bool is_on_host = facts.device.device_type == nb::device::cpu::value;
  const bool is_on_gpu = facts.device.device_type == nb::device::cuda::value;
  if (!type || !(is_on_host || is_on_gpu) || facts.ndim > kMostAxes) return false;
  if (facts.ndim > 0 && facts.strides == nullptr) return false;
  array.library = Library::torch;
  array.type = *type;
  array.device = is_on_gpu ? facts.device.device_id : kHost;
  array.address = reinterpret_cast<std::uint64_t>(facts.data) + facts.byte_offset;
  array.rank = facts.ndim;
  std::copy_n(facts.shape, facts.ndim, array.extent.begin());
  std::copy_n(facts.strides, facts.ndim, array.stride.begin());
  array.exchange = &exchange;
  return true;
}

std::optional<std::uint64_t> current_stream(const Exchange& exchange, int device) {
  void* stream = nullptr;
  if (exchange.current_stream == nullptr) return std::nullopt;
  if (exchange.current_stream(nb::device::cuda::value, device, &stream) != 0) {
    PyErr_Clear();
    return std::nullopt;
  }
  return reinterpret_cast<std::uint64_t>(stream);
}

}  // namespace jute::python
