// Launches, and the emulator's copies.
#include "run.hpp"

#include <jute/plan/choose/batch_invariant.hpp>

#include "integer_lists.hpp"

namespace jute::python {

namespace {

/// The choices of the wish for a problem that a context prepares.
Config config_of(const Wish& wish, const Problem& problem, const Context& context) {
  Config config = wish.config.empty() ? Config() : parse_config(wish.config);
  if (wish.fast_accum) config.promote = 0;
  if (!wish.batch_invariant) return config;
  return batch_invariant(problem, context.device_info(), config, context.catalogue()).config;
}

std::span<std::byte> bytes_of(const Array& array) {
  return {reinterpret_cast<std::byte*>(array.address), static_cast<std::size_t>(span_bytes(array))};
}

/// Are there places between its elements, whose contents must stay?
bool has_gaps(const Array& array) {
  Index elements = 1;
  for (const Index extent : array.extents()) elements *= extent;
  return elements * width_bytes(array.type) != span_bytes(array);
}

/// A range is prepared for strides as far apart as its last rows need, by steps as aligned as
/// those that were given.
Problem problem_of_range(const Problem& given) {
  if (!given.m_range || given.m_range->last <= given.m) return given;
  Problem problem = given;
  problem.m_range.reset();
  problem = for_rows(problem, given.m_range->last);
  problem.m = given.m;
  problem.m_range = given.m_range;
  return problem;
}

/// The rule that the entry breaks, of a list in the host's memory.
[[noreturn]] void refuse_list(const Bound& bound, Index entry) {
  const Problem& problem = bound.problem;
  const GroupKind kind = problem.groups->kind;
  const auto at = [&](Index i) { return integer_at(bound.list, problem.groups->index, i); };
  const Index most = kind == GroupKind::cols ? problem.n
                     : kind == GroupKind::k  ? problem.k
                                             : problem.m;
  if (problem.groups->entry == GroupEntry::row)
    refuse(ErrorCode::out_of_range, "row_groups[" + std::to_string(entry) + "]",
           std::to_string(at(entry)),
           "it must be -1, which is none, or a group from 0 to " +
               std::to_string(problem.batch - 1) +
               " that has not ended before: nothing was computed",
           "-1");
  const bool is_counted = kind == GroupKind::masked_rows;
  const Index least = is_counted || entry == 0 ? 0 : at(entry - 1);
  refuse(ErrorCode::out_of_range, std::string(bound.list_name) + "[" + std::to_string(entry) + "]",
         std::to_string(at(entry)),
         (is_counted ? "counts must be from 0 to " : "ends must never go down, nor pass ") +
             std::to_string(most) + ": nothing was computed",
         std::to_string(std::clamp(at(entry), least, most)));
}

void run_emulated(const Bound& bound, const Prepared& prepared, Backend& backend) {
  GemmArgs args = bound.args;
  Twins twins(backend);
  if (args.packed_a == 0) args.a = twins.in(bound.a);
  if (args.packed_b == 0) args.b = twins.in(bound.b);
  if (bound.has_c) args.c = twins.in(bound.c);
  const bool has_groups = bound.problem.groups.has_value();
  if (has_groups) args.ends = twins.in(bound.list);
  for (const BoundArray& one : bound.arrays) address_in(args, one.role) = twins.in(one.array);
  for (std::size_t i = 0; i < bound.inputs.size(); ++i)
    if (!bound.inputs[i].is_number) args.inputs[i].base = twins.in(bound.inputs[i].array);
  const bool keeps = has_groups || bound.problem.d.rows.has_value();
  args.d = twins.out(bound.d, keeps);
  if (!bound.has_c) args.c = args.d;
  for (std::size_t i = 0; i < bound.outputs.size(); ++i)
    if (bound.outputs[i].object.is_valid())
      args.outputs[i].base = twins.out(bound.outputs[i].array, keeps);
  const Buffer workspace = twins.run(prepared.gemm, args);
  if (const auto entry = prepared.gemm.group_fault(workspace.pointer())) refuse_list(bound, *entry);
  for (const TensorRole operand : {TensorRole::a, TensorRole::d})
    if (const auto entry = prepared.gemm.row_fault(operand, workspace.pointer()))
      refuse_row(bound, operand, *entry);
}

}  // namespace

Traffic& traffic() {
  static Traffic all;
  return all;
}

DevicePointer Twins::in(const Array& array) {
  const Index bytes = span_bytes(array);
  const Buffer& twin = read_.emplace_back(array, Buffer(backend_, bytes)).second;
  backend_.copy_in(twin.pointer(), bytes_of(array));
  traffic().bytes_in += bytes;
  return twin.pointer();
}

DevicePointer Twins::out(const Array& array, bool keeps) {
  if (keeps || has_gaps(array)) {
    const DevicePointer twin = in(array);
    written_.push_back(std::move(read_.back()));
    read_.pop_back();
    return twin;
  }
  return written_.emplace_back(array, Buffer(backend_, span_bytes(array))).second.pointer();
}

Buffer Twins::run(const Gemm& gemm, GemmArgs args) {
  Buffer workspace(backend_, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  args.workspace = workspace.pointer();
  args.stream = {};
  gemm.run(args);
  backend_.synchronize();
  for (const auto& [array, twin] : written_) {
    backend_.copy_out(bytes_of(array), twin.pointer());
    traffic().bytes_out += span_bytes(array);
  }
  return workspace;
}

std::shared_ptr<Prepared> prepared_for(const Wish& wish, const Bound& bound) {
  Runtime& runtime = runtime_of(bound.a.device);
  const Problem problem = problem_of_range(bound.problem);
  if (wish.race > 0) {
    runtime.forget(bound.key);
    return runtime.find(bound.key, [&] {
      return Prepared(
          tune(runtime.context(), problem,
               {.candidates = wish.race, .config = config_of(wish, problem, runtime.context())})
              .gemm);
    });
  }
  return runtime.find(bound.key, [&] {
    return Prepared(
        prepare(runtime.context(), problem, config_of(wish, problem, runtime.context())));
  });
}

std::shared_ptr<Prepared> prepared_for(const Wish& wish, const Bound& bound,
                                       const std::vector<Problem>& parts) {
  Runtime& runtime = runtime_of(bound.a.device);
  return runtime.find(bound.key, [&] {
    return Prepared(
        prepare_parts(runtime.context(), parts, config_of(wish, parts.front(), runtime.context())));
  });
}

void run(Bound& bound, Prepared& prepared, nb::handle like) {
  if (bound.a.device != kHost) return launch(bound.args, bound.a, prepared, like);
  ++traffic().products;
  Backend& backend = prepared.runtime->context().backend();
  const nb::gil_scoped_release release;
  run_emulated(bound, prepared, backend);
}

void launch(GemmArgs& args, const Array& form, Prepared& prepared, nb::handle like) {
  ++traffic().products;
  nb::object workspace;
  args.workspace = workspace_of(*prepared.runtime, prepared, like, form, args.stream, workspace);
  prepared.gemm.run(args);
}

void refuse_gradients() {
  if (!nb::cast<bool>(nb::module_::import_("torch").attr("is_grad_enabled")())) return;
  refuse(ErrorCode::unsupported, "an operand", "requires_grad",
         "it must be called where no gradient is recorded: jute.torch.matmul has them");
}

void check_gradients(const Bound& bound, nb::handle a, nb::handle b) {
  if (needs_gradient(bound.a, a) || needs_gradient(bound.b, b)) refuse_gradients();
}

nb::object result_of(const Bound& bound) {
  if (bound.outputs.size() < 2) return bound.out;
  nb::dict others;
  const auto& named = bound.problem.epilogue->expression.outputs;
  for (std::size_t i = 0; i < named.size(); ++i)
    if (bound.outputs[i].object.is_valid())
      others[nb::str(named[i].name.c_str())] = bound.outputs[i].object;
  return nb::make_tuple(bound.out, others);
}

}  // namespace jute::python
