// Products of lists of arrays: groups with operands and extents of their own, in one launch.
#include <tuple>

#include "each_arrays.hpp"
#include "words.hpp"

namespace jute::python {

namespace {

/// The largest of all groups: what the kernel's grid is made for.
void set_bounds(Problem& problem, const std::vector<OwnArrays>& groups) {
  for (const OwnArrays& group : groups) {
    problem.m = std::max(problem.m, group[TensorRole::a].extent[0]);
    problem.n = std::max(problem.n, group[TensorRole::b].extent[1]);
    problem.k = std::max(problem.k, group[TensorRole::a].extent[1]);
  }
}

Bound bind_each(const Wish& wish, const Operands& operands, const std::vector<OwnArrays>& groups) {
  Bound bound;
  const OwnArrays& first = groups.front();
  bound.a = first.find(TensorRole::a)->bytes, bound.b = first.find(TensorRole::b)->bytes;
  bound.d = first[TensorRole::d];
  bound.list.device = bound.a.device;
  bound.has_c = operands.has(TensorRole::c);
  if (bound.has_c) bound.c = first[TensorRole::c];
  Problem& problem = bound.problem;
  problem.m = problem.n = problem.k = 0;
  set_bounds(problem, groups);
  problem.batch = static_cast<Index>(groups.size());
  problem.groups = Groups{.kind = GroupKind::each};
  problem.a = matrix_of_all(groups, TensorRole::a);
  problem.b = matrix_of_all(groups, TensorRole::b);
  problem.c = problem.d = matrix_of_all(groups, TensorRole::d);
  if (bound.has_c) problem.c = matrix_of_all(groups, TensorRole::c);
  if (wish.reading == Reading::scaled) {
    problem.scale_a = scale_of_all(groups, operands.side_a);
    problem.scale_b = scale_of_all(groups, operands.side_b);
    problem.staged = operands.stage_as;
  }
  finish(bound, wish, operands);
  return bound;
}

/// Where an entry of the device's list has a tensor.
struct EntryPlace {
  TensorRole role;
  std::uint64_t ScaledGroup::*address;
  std::int64_t ScaledGroup::*ld;
};
constexpr EntryPlace kEntryPlaces[] = {
    {TensorRole::a, &ScaledGroup::a, &ScaledGroup::lda},
    {TensorRole::b, &ScaledGroup::b, &ScaledGroup::ldb},
    {TensorRole::c, &ScaledGroup::c, &ScaledGroup::ldc},
    {TensorRole::d, &ScaledGroup::d, &ScaledGroup::ldd},
    {TensorRole::scale_a, &ScaledGroup::scale_a, &ScaledGroup::ld_scale_a},
    {TensorRole::zero_a, &ScaledGroup::zero_a, &ScaledGroup::ld_zero_a},
    {TensorRole::scale_b, &ScaledGroup::scale_b, &ScaledGroup::ld_scale_b},
    {TensorRole::zero_b, &ScaledGroup::zero_b, &ScaledGroup::ld_zero_b}};

/// The list, an entry for each group; `place` says where an array lies on the device.
template <class Place>
std::vector<std::byte> entries_of(const Problem& problem, const std::vector<OwnArrays>& groups,
                                  const Place& place) {
  std::vector<std::byte> list;
  const auto size = static_cast<std::ptrdiff_t>(entry_bytes(*completed(problem).groups));
  for (const OwnArrays& group : groups) {
    ScaledGroup entry;
    entry.m = static_cast<std::int32_t>(group[TensorRole::a].extent[0]);
    entry.n = static_cast<std::int32_t>(group[TensorRole::b].extent[1]);
    entry.k = static_cast<std::int32_t>(group[TensorRole::a].extent[1]);
    for (const EntryPlace& of : kEntryPlaces) {
      const OwnArray* const own = group.find(of.role);
      // One without elements has no address that counts.
      if (own == nullptr || span_bytes(own->bytes) == 0) continue;
      entry.*of.address = place(*own);
      entry.*of.ld = *ld_of_array(own->elements, matrix_of(problem, of.role)->order);
    }
    const auto bytes = std::as_bytes(std::span(&entry, 1));
    list.insert(list.end(), bytes.begin(), bytes.begin() + size);
  }
  return list;
}

/// By way of the emulator's memory, as all arrays of the host.
void run_each_emulated(const Bound& bound, const Prepared& prepared, Backend& backend,
                       const std::vector<OwnArrays>& groups) {
  Twins twins(backend);
  const auto entries = entries_of(bound.problem, groups, [&](const OwnArray& own) {
    return is_written(own.role) ? twins.out(own.bytes, true) : twins.in(own.bytes);
  });
  const Buffer list(backend, static_cast<Index>(entries.size()));
  backend.copy_in(list.pointer(), entries);
  GemmArgs args = bound.args;
  args.ends = list.pointer();
  (void)twins.run(prepared.gemm, args);
}

/// The list crosses ahead of the launch, in its stream's order.
void run_each_on_gpu(Bound& bound, Prepared& prepared, nb::handle like,
                     const std::vector<OwnArrays>& groups) {
  if (is_capturing(bound.a))
    refuse(ErrorCode::unsupported, "a", "a list, while a graph is captured",
           "a list of arrays must be multiplied outside of graphs: its addresses cross from the "
           "host");
  const auto entries =
      entries_of(bound.problem, groups, [](const OwnArray& own) { return own.bytes.address; });
  const nb::object list =
      new_array(like, bound.a, DType::f64, {static_cast<Index>(entries.size() / sizeof(double))});
  const Array array = array_of(list, "list");
  runtime_of(bound.a.device).context().backend().copy_in(array.address, entries, bound.args.stream);
  bound.args.ends = array.address;
  run(bound, prepared, like);
}

nb::list run_each(const Wish& wish, Bound& bound, const std::vector<OwnArrays>& groups,
                  const nb::list& a, const nb::list& b) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    Bound one;
    one.a = groups[i][TensorRole::a], one.b = groups[i][TensorRole::b];
    check_gradients(one, a[i], b[i]);
  }
  const std::shared_ptr<Prepared> prepared = prepared_for(wish, bound);
  if (bound.a.device == kHost) {
    ++traffic().products;
    const nb::gil_scoped_release release;
    run_each_emulated(bound, *prepared, prepared->runtime->context().backend(), groups);
  } else {
    run_each_on_gpu(bound, *prepared, a[0], groups);
  }
  nb::list results;
  for (const OwnArrays& group : groups) results.append(group.out);
  return results;
}

/// Refuses words that lists of matrices lack: each has its own sizes, nothing is named or gathered.
void refuse_words(const Call& call) {
  const Operands& operands = call.operands;
  const Lists& lists = operands.lists;
  const std::pair<const char*, bool> words[] = {{"offs", !lists.offs.is_none()},
                                                {"counts", !lists.counts.is_none()},
                                                {"row_groups", !lists.row_groups.is_none()},
                                                {"inputs", operands.inputs.size() > 0},
                                                {"outputs", operands.outputs.size() > 0},
                                                {"rows_a", operands.has(TensorRole::rows_a)},
                                                {"rows_d", operands.has(TensorRole::rows_d)},
                                                {"expected", operands.expected != 0},
                                                {"gate", call.wish.gate != GateColumns::halves},
                                                {"store", operands.store != RowStore::put}};
  for (const auto& [name, is_said] : words)
    if (is_said)
      refuse(ErrorCode::unsupported, name, "",
             "it must be left out of lists of matrices, each of which has its own sizes");
}

/// The type of results that the call does not say.
DType usual_result_of(const Operands& operands, nb::handle a, nb::handle b) {
  Problem problem;
  for (const auto& [side, given, matrix, scale] :
       {std::tuple(&operands.side_a, a, &problem.a, &problem.scale_a),
        std::tuple(&operands.side_b, b, &problem.b, &problem.scale_b)}) {
    matrix->type = read(*side, given, 2).elements.type;
    if (!side->scale.is_none()) scale->scale.emplace();
    if (!side->zero.is_none()) scale->zero.emplace();
  }
  return usual_result(problem);
}

void check_sides(const Operands& operands, std::size_t count) {
  for (const Side* side : {&operands.side_a, &operands.side_b}) {
    check_count(side->scale_name, side->scale, count);
    if (has_zeros(*side)) check_count(side->zero_name, side->zero, count);
    check_block(*side);
  }
}

}  // namespace

nb::object multiply_each(Call& call, Reading reading) {
  refuse_words(call);
  Wish& wish = call.wish;
  Operands& operands = call.operands;
  wish.reading = reading;
  const nb::list a(operands.a), b(operands.b);
  if (reading == Reading::scaled) {
    check_sides(operands, nb::len(a));
    if (!wish.out_dtype && operands.out.is_none() && nb::len(a) > 0 && nb::len(b) > 0)
      wish.out_dtype = usual_result_of(operands, a[0], b[0]);
  }
  const std::vector<OwnArrays> groups = arrays_of(wish, a, b, operands);
  // The first group's stand for all; the lists keep them.
  operands.a = nb::handle(a[0].ptr()), operands.b = nb::handle(b[0].ptr());
  operands.out = nb::none();
  Bound bound = bind_each(wish, operands, groups);
  return run_each(wish, bound, groups, a, b);
}

}  // namespace jute::python
