// jute's products as calls of XLA's: prepared where an executable is made, launched on XLA's
// stream. Built against the headers of the jaxlib that loads it.
#include <memory>
#include <string>
#include <vector>

#include "call.hpp"
#include "xla/ffi/api/ffi.h"

namespace {

namespace ffi = xla::ffi;
using jute::jax_calls::Functions;
using jute::jax_calls::kHost;
using jute::jax_calls::Product;

const Functions* functions = nullptr;
std::int32_t first_gpu = 0;  ///< that XLA has in this process

ffi::Error refused() { return ffi::Error(ffi::ErrorCode::kInvalidArgument, functions->error()); }

/// XLA numbers types a platform: each has one of its own.
template <bool OnGpu>
struct State {
  static ffi::TypeId id;
  explicit State(Product* prepared) : product(prepared) {}
  State(const State&) = delete;
  ~State() { functions->release(product); }
  Product* product;
};
template <bool OnGpu>
ffi::TypeId State<OnGpu>::id = {};

using Roles = ffi::Span<const std::int32_t>;
using Numbers = ffi::Span<const double>;

template <bool OnGpu>
ffi::ErrorOr<std::unique_ptr<State<OnGpu>>> instantiate(std::string_view problem,
                                                        std::string_view choices, Roles, Numbers) {
  Product* const product = functions->prepare(
      std::string(problem).c_str(), std::string(choices).c_str(), OnGpu ? first_gpu : kHost);
  if (product == nullptr) return ffi::Unexpected(refused());
  return std::make_unique<State<OnGpu>>(product);
}

ffi::Error initialize(State<true>* state, std::int32_t device, void* stream, std::string_view,
                      std::string_view, Roles, Numbers) {
  return functions->make_ready(*state->product, device, stream) ? ffi::Error::Success() : refused();
}

ffi::Error run(Product& product, std::int32_t device, void* stream, ffi::RemainingArgs operands,
               ffi::RemainingRets results, Roles roles, Numbers numbers) {
  std::vector<void*> addresses;
  std::vector<std::int64_t> bytes;
  const auto add = [&](ffi::AnyBuffer buffer) {
    addresses.push_back(buffer.untyped_data());
    bytes.push_back(static_cast<std::int64_t>(buffer.size_bytes()));
  };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto operand = operands.get<ffi::AnyBuffer>(i);
    if (!operand.has_value()) return operand.error();
    add(*operand);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto result = results.get<ffi::AnyBuffer>(i);
    if (!result.has_value()) return result.error();
    add(**result);
  }
  if (addresses.size() != roles.size())
    return ffi::Error(ffi::ErrorCode::kInvalidArgument, "each array must have a role");
  const jute::jax_calls::Run one{roles.begin(),   addresses.data(),
                                 bytes.data(),    static_cast<std::int64_t>(addresses.size()),
                                 numbers.begin(), static_cast<std::int64_t>(numbers.size()),
                                 device,          stream};
  return functions->run(product, one) ? ffi::Error::Success() : refused();
}

ffi::Error run_on_cpu(State<false>* state, ffi::RemainingArgs operands, ffi::RemainingRets results,
                      std::string_view, std::string_view, Roles roles, Numbers numbers) {
  return run(*state->product, kHost, nullptr, operands, results, roles, numbers);
}
ffi::Error run_on_gpu(State<true>* state, std::int32_t device, void* stream,
                      ffi::RemainingArgs operands, ffi::RemainingRets results, std::string_view,
                      std::string_view, Roles roles, Numbers numbers) {
  return run(*state->product, device, stream, operands, results, roles, numbers);
}

auto with_words(auto binding) {
  return std::move(binding)
      .template Attr<std::string_view>("problem")
      .template Attr<std::string_view>("choices")
      .template Attr<Roles>("roles")
      .template Attr<Numbers>("numbers");
}
template <ffi::ExecutionStage Stage>
auto on_gpu() {
  return ffi::Ffi::Bind<Stage>()
      .template Ctx<ffi::State<State<true>>>()
      .template Ctx<ffi::DeviceOrdinal>()
      .template Ctx<ffi::PlatformStream<void*>>();
}

#ifdef JUTE_WITH_TYPE_INFO  // since jaxlib 0.8 a type says how it is freed
template <bool OnGpu>
XLA_FFI_TypeInfo type_info = ffi::MakeTypeInfo<State<OnGpu>>();
#endif

}  // namespace

XLA_FFI_DEFINE_HANDLER_SYMBOL(jute_cpu_instantiate, instantiate<false>,
                              with_words(ffi::Ffi::BindInstantiate()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    jute_cpu_execute, run_on_cpu,
    with_words(ffi::Ffi::Bind().Ctx<ffi::State<State<false>>>().RemainingArgs().RemainingRets()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(jute_cuda_instantiate, instantiate<true>,
                              with_words(ffi::Ffi::BindInstantiate()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(jute_cuda_initialize, initialize,
                              with_words(on_gpu<ffi::ExecutionStage::kInitialize>()));
XLA_FFI_DEFINE_HANDLER_SYMBOL(
    jute_cuda_execute, run_on_gpu,
    with_words(on_gpu<ffi::ExecutionStage::kExecute>().RemainingArgs().RemainingRets()),
    {ffi::Traits::kCmdBufferCompatible});

extern "C" void jute_start(const Functions* of_jute, std::int32_t gpu) {
  functions = of_jute;
  first_gpu = gpu;
}
extern "C" void* jute_cpu_type_id() { return &State<false>::id; }
extern "C" void* jute_cuda_type_id() { return &State<true>::id; }
#ifdef JUTE_WITH_TYPE_INFO
extern "C" void* jute_cpu_type_info() { return &type_info<false>; }
extern "C" void* jute_cuda_type_info() { return &type_info<true>; }
#endif
