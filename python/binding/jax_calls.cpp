// Products as XLA calls them: what a call is, told of arrays that lie like its own; prepared and
// run without Python.
#include "../src/jute/jax_calls/call.hpp"

#include <cstring>
#include <map>
#include <mutex>

#include <nanobind/stl/string_view.h>

#include "module.hpp"
#include "run.hpp"
#include "words.hpp"

namespace jute::jax_calls {

/// Gemms and workspaces by device. XLA runs one call after the other on a device.
struct Product {
  struct Place {
    Context* context;
    Gemm gemm;
    Buffer workspace{};
    bool is_ready = false;
  };
  Problem problem;
  Config choices;
  std::mutex mutex;
  std::map<std::int32_t, Place> places;
};

}  // namespace jute::jax_calls

namespace jute::python {

namespace {

namespace calls = jax_calls;

thread_local std::string refused_last;

/// What `work` gives, or where it throws `other`, and the message is kept.
template <class T>
T kept(T other, const auto& work) {
  try {
    return work();
  } catch (const std::exception& exception) {
    refused_last = exception.what();
    return other;
  }
}

/// The product on a device, prepared there where it is new.   needs  its mutex
calls::Product::Place& place_of(calls::Product& product, int device) {
  if (const auto found = product.places.find(device); found != product.places.end())
    return found->second;
  Context* context = nullptr;
  {
    const nb::gil_scoped_acquire held;
    context = &runtime_of(device).context();
  }
  return product.places
      .emplace(device,
               calls::Product::Place{context, prepare(*context, product.problem, product.choices)})
      .first->second;
}

calls::Product::Place& ready_place(calls::Product& product, int device, Stream stream) {
  const std::lock_guard guard(product.mutex);
  calls::Product::Place& place = place_of(product, device);
  if (place.is_ready || device == kHost) return place;
  if (const Index bytes = place.gemm.workspace_bytes(); bytes > 0) {
    place.workspace = Buffer(place.context->backend(), bytes);
    place.gemm.clear_workspace(place.workspace.pointer(), stream);
  }
  place.is_ready = true;
  return place;
}

DevicePointer& address_of(GemmArgs& args, TensorRole role) {
  const auto place = [&](TensorRole first) {
    return static_cast<std::size_t>(role) - static_cast<std::size_t>(first);
  };
  if (is_input(role)) return args.inputs[place(TensorRole::first_input)].base;
  if (is_output(role)) return args.outputs[place(TensorRole::first_output)].base;
  return address_in(args, role);
}

/// Arguments whose addresses `lies` gives of each array.
GemmArgs args_of(const calls::Run& run, const auto& lies) {
  GemmArgs args;
  args.alpha = run.numbers[0], args.beta = run.numbers[1];
  for (std::int64_t i = 2; i < run.number_count; ++i)
    args.inputs[static_cast<std::size_t>(i - 2)].value = run.numbers[i];
  for (std::int64_t i = 0; i < run.count; ++i) {
    const auto role = static_cast<TensorRole>(run.roles[i]);
    address_of(args, role) = lies(role, run.addresses[i], run.bytes[i]);
  }
  if (args.c == 0) args.c = args.d;
  return args;
}

/// Of groups, what is no group's is zero in a result that is made.
bool is_cleared(const Problem& problem) {
  return problem.groups && problem.groups->kind != GroupKind::k;
}

void run_emulated(const calls::Product& product, const calls::Product::Place& place,
                  const calls::Run& run) {
  Twins twins(place.context->backend());
  const bool clears = is_cleared(product.problem);
  const GemmArgs args = args_of(run, [&](TensorRole role, void* address, Index bytes) {
    Array array{.type = DType::u8, .address = reinterpret_cast<std::uint64_t>(address), .rank = 1};
    array.extent[0] = bytes, array.stride[0] = 1;
    if (!is_written(role)) return twins.in(array);
    if (clears) std::memset(address, 0, static_cast<std::size_t>(bytes));
    return twins.out(array, clears);
  });
  const Buffer workspace = twins.run(place.gemm, args);
  if (const auto entry = place.gemm.group_fault(workspace.pointer()))
    refuse(ErrorCode::out_of_range, "entry " + std::to_string(*entry) + " of the list of groups",
           to_string(*product.problem.groups),
           "ends must never go down, nor pass what they cut: nothing was computed");
}

void run_on_gpu(const calls::Product& product, const calls::Product::Place& place,
                const calls::Run& run) {
  const Stream stream{reinterpret_cast<std::uint64_t>(run.stream)};
  const bool clears = is_cleared(product.problem);
  GemmArgs args = args_of(run, [&](TensorRole role, void* address, Index bytes) {
    const auto at = reinterpret_cast<DevicePointer>(address);
    if (clears && is_written(role)) place.context->backend().fill(at, 0, bytes, stream);
    return at;
  });
  args.workspace = place.workspace.pointer();
  args.stream = stream;
  place.gemm.run(args);
}

constexpr calls::Functions kFunctions = {
    .prepare =
        [](const char* problem, const char* choices, std::int32_t device) {
          return kept<calls::Product*>(nullptr, [&] {
            auto product = std::make_unique<calls::Product>();
            product->problem = parse_problem(problem);
            product->choices = parse_config(choices);
            place_of(*product, device);
            return product.release();
          });
        },
    .release = [](calls::Product* product) { delete product; },
    .make_ready =
        [](calls::Product& product, std::int32_t device, void* stream) {
          return kept(false, [&] {
            ready_place(product, device, {reinterpret_cast<std::uint64_t>(stream)});
            return true;
          });
        },
    .run =
        [](calls::Product& product, const calls::Run& run) {
          return kept(false, [&] {
            const auto& place =
                ready_place(product, run.device, {reinterpret_cast<std::uint64_t>(run.stream)});
            (run.device == kHost ? run_emulated : run_on_gpu)(product, place, run);
            return true;
          });
        },
    .error = [] { return refused_last.c_str(); },
};
static_assert(calls::kHost == kHost);

nb::list extents_of(const Array& array) {
  nb::list all;
  for (const Index extent : array.extents()) all.append(extent);
  return all;
}

/// (the problem, the choices, each operand's name and role, numbers, each result's name, role,
/// shape and type): what `Run` needs of a call, of whose arrays nothing is read.
nb::object described(Call& call, Reading reading) {
  call.wish.reading = reading;
  const Bound bound = bind(call.wish, call.operands);
  nb::list operands, numbers, results;
  const auto operand = [&](const std::string& name, TensorRole role) {
    operands.append(nb::make_tuple(name, static_cast<int>(role)));
  };
  const auto result = [&](const char* name, TensorRole role, const Array& array) {
    results.append(nb::make_tuple(name, static_cast<int>(role), nb::tuple(extents_of(array)),
                                  jute::name(array.type)));
  };
  operand("a", TensorRole::a), operand("b", TensorRole::b);
  if (bound.has_c) operand("c", TensorRole::c);
  if (bound.problem.groups) operand(bound.list_name, TensorRole::ends);
  for (const BoundArray& one : bound.arrays) operand(one.name, one.role);
  numbers.append(bound.args.alpha), numbers.append(bound.args.beta);
  result("d", TensorRole::d, bound.d);
  for (std::size_t i = 0; i < bound.inputs.size(); ++i) {
    const NamedArray& input = bound.inputs[i];
    numbers.append(bound.args.inputs[i].value);
    if (!input.is_number)
      operand("." + bound.problem.epilogue->expression.inputs[i].name,
              input_role(static_cast<int>(i)));
  }
  for (std::size_t i = 0; i < bound.outputs.size(); ++i)
    if (bound.outputs[i].object.is_valid())
      result(bound.problem.epilogue->expression.outputs[i].name.c_str(),
             output_role(static_cast<int>(i)), bound.outputs[i].array);
  Config choices = parse_config(call.wish.config);
  if (call.wish.fast_accum) choices.promote = 0;
  return nb::make_tuple(to_string(bound.problem), to_string(choices), operands, numbers, results);
}

template <Reading reading>
nb::object described_as(Call& call) {
  return described(call, reading);
}

}  // namespace

void add_jax_calls(nb::module_& core) {
  add_called(core, "describe(a: Any, b: Any, *", 'm', "Any", described_as<Reading::plain>);
  add_called(core, "describe_groups(a: Any, b: Any, offs: Any = None, *", 'r', "Any",
             described_as<Reading::groups>);
  add_called(core, "describe_scaled(a: Any, b: Any, *", 'q', "Any", described_as<Reading::scaled>);
  core.def("jax_functions", [] { return reinterpret_cast<std::uintptr_t>(&kFunctions); });
}

}  // namespace jute::python
