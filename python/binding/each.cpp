// Products of lists of arrays: groups with operands and extents of their own, in one launch.
#include <tuple>

#include "each_arrays.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

/// The largest of all groups: what the kernel's grid is made for.
void set_bounds(Problem& problem, const std::vector<OwnArrays>& groups) {
  for (const OwnArrays& group : groups) {
    problem.m = std::max(problem.m, group.a.extent[0]);
    problem.n = std::max(problem.n, group.b.extent[1]);
    problem.k = std::max(problem.k, group.a.extent[1]);
  }
}

Bound bind_each(const Wish& wish, const Operands& operands, const std::vector<OwnArrays>& groups,
                const ScaledLists* scaled = nullptr, std::optional<DType> staged = std::nullopt) {
  Bound bound;
  const OwnArrays& first = groups.front();
  bound.a = first.bytes_a, bound.b = first.bytes_b, bound.c = first.c, bound.d = first.d;
  bound.list.device = first.a.device;
  bound.has_c = !operands.c.is_none();
  Problem& problem = bound.problem;
  problem.m = problem.n = problem.k = 0;
  set_bounds(problem, groups);
  problem.batch = static_cast<Index>(groups.size());
  problem.groups = Groups{.kind = GroupKind::each};
  problem.a = matrix_of_all(groups, &OwnArrays::a, "a");
  problem.b = matrix_of_all(groups, &OwnArrays::b, "b");
  problem.c = problem.d = matrix_of_all(groups, &OwnArrays::d, "out");
  if (bound.has_c) problem.c = matrix_of_all(groups, &OwnArrays::c, "c");
  if (scaled != nullptr) {
    problem.scale_a = scale_of_all(groups, scaled->a);
    problem.scale_b = scale_of_all(groups, scaled->b);
    problem.staged = staged;
  }
  finish(bound, wish, operands);
  return bound;
}

/// The device's list, an entry for each group; `place` says where an array lies there.
template <class Place>
std::vector<std::byte> entries_of(const Problem& problem, const std::vector<OwnArrays>& groups,
                                  bool has_c, const Place& place) {
  std::vector<std::byte> list;
  const bool is_scaled = problem.scale_a.scale || problem.scale_a.zero || problem.scale_b.scale ||
                         problem.scale_b.zero;
  for (const OwnArrays& group : groups) {
    ScaledGroup entry;
    entry.m = static_cast<std::int32_t>(group.a.extent[0]);
    entry.n = static_cast<std::int32_t>(group.b.extent[1]);
    entry.k = static_cast<std::int32_t>(group.a.extent[1]);
    const auto put = [&](const Array& array, const Array& bytes, const Matrix& matrix,
                         std::uint64_t& address, std::int64_t& ld) {
      if (span_bytes(bytes) == 0) return;  // it has no elements, and no address that counts
      address = place(bytes);
      ld = *ld_of_array(array, matrix.order);
    };
    put(group.a, group.bytes_a, problem.a, entry.a, entry.lda);
    put(group.b, group.bytes_b, problem.b, entry.b, entry.ldb);
    put(group.d, group.d, problem.d, entry.d, entry.ldd);
    if (has_c) put(group.c, group.c, problem.c, entry.c, entry.ldc);
    const auto put_numbers = [&](const Array& array, const std::optional<BlockValues>& numbers,
                                 std::uint64_t& address, std::int64_t& ld) {
      if (numbers) put(array, array, *numbers, address, ld);
    };
    put_numbers(group.scale_a, problem.scale_a.scale, entry.scale_a, entry.ld_scale_a);
    put_numbers(group.zero_a, problem.scale_a.zero, entry.zero_a, entry.ld_zero_a);
    put_numbers(group.scale_b, problem.scale_b.scale, entry.scale_b, entry.ld_scale_b);
    put_numbers(group.zero_b, problem.scale_b.zero, entry.zero_b, entry.ld_zero_b);
    const auto bytes = std::as_bytes(std::span(&entry, 1));
    const auto end = is_scaled ? bytes.size() : sizeof(EachGroup);
    list.insert(list.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return list;
}

std::span<std::byte> bytes_of_array(const Array& array) {
  return {reinterpret_cast<std::byte*>(array.address), static_cast<std::size_t>(span_bytes(array))};
}

/// By way of the emulator's memory, as all arrays of the host.
void run_each_emulated(const Bound& bound, const Prepared& prepared, Backend& backend,
                       const std::vector<OwnArrays>& groups) {
  std::vector<Buffer> twins;
  std::vector<std::pair<const Array*, DevicePointer>> written;
  const auto entries = entries_of(bound.problem, groups, bound.has_c, [&](const Array& array) {
    twins.emplace_back(backend, span_bytes(array));
    backend.copy_in(twins.back().pointer(), bytes_of_array(array));
    traffic().bytes_in += span_bytes(array);
    for (const OwnArrays& group : groups)
      if (&group.d == &array) written.emplace_back(&array, twins.back().pointer());
    return twins.back().pointer();
  });
  const Buffer list(backend, static_cast<Index>(entries.size()));
  backend.copy_in(list.pointer(), entries);
  GemmArgs args = bound.args;
  args.ends = list.pointer();
  const Buffer workspace(backend, prepared.gemm.workspace_bytes());
  prepared.gemm.clear_workspace(workspace.pointer());
  args.workspace = workspace.pointer();
  args.stream = {};
  prepared.gemm.run(args);
  backend.synchronize();
  for (const auto& [array, pointer] : written) {
    backend.copy_out(bytes_of_array(*array), pointer);
    traffic().bytes_out += span_bytes(*array);
  }
}

/// The list crosses ahead of the launch, in its stream's order.
void run_each_on_gpu(Bound& bound, Prepared& prepared, nb::handle like,
                     const std::vector<OwnArrays>& groups) {
  if (is_capturing(bound.a))
    refuse(ErrorCode::unsupported, "a", "a list, while a graph is captured",
           "a list of arrays must be multiplied outside of graphs: its addresses cross from the "
           "host");
  const auto entries = entries_of(bound.problem, groups, bound.has_c,
                                  [](const Array& array) { return array.address; });
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
    one.a = groups[i].a, one.b = groups[i].b;
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

/// The first group's stand for all; the lists keep them.
Operands usual_operands(const nb::list& a, const nb::list& b, const nb::object& c,
                        const nb::object& stream, double alpha, double beta) {
  return {.a = nb::handle(a[0].ptr()),
          .b = nb::handle(b[0].ptr()),
          .out = nb::none(),
          .c = c,
          .stream = stream,
          .inputs = {},
          .outputs = {},
          .alpha = alpha,
          .beta = beta};
}

nb::list multiply_each(const nb::list& a, const nb::list& b, nb::object out, nb::object c,
                       double alpha, double beta, nb::object stream, const std::string& epilogue,
                       const std::string& config, nb::object dtype, nb::object out_dtype) {
  const Wish wish =
      wish_of({epilogue, "f32", config, std::move(dtype), std::move(out_dtype), nb::none()});
  const std::vector<OwnArrays> groups = arrays_of(wish, a, b, out, c);
  Bound bound = bind_each(wish, usual_operands(a, b, c, stream, alpha, beta), groups);
  return run_each(wish, bound, groups, a, b);
}

/// The type of results that the call does not say.
DType usual_result_of(const ScaledLists& scaled, nb::handle a, nb::handle b) {
  Problem problem;
  for (const auto& [list, given, matrix, scale] :
       {std::tuple(&scaled.a, a, &problem.a, &problem.scale_a),
        std::tuple(&scaled.b, b, &problem.b, &problem.scale_b)}) {
    Side side = list->side;
    side.array = given;
    matrix->type = read(side, 2).elements.type;
    if (!list->scales.is_none()) scale->scale.emplace();
    if (!list->zeros.is_none()) scale->zero.emplace();
  }
  return usual_result(problem);
}

nb::list multiply_scaled_each(const nb::list& a, const nb::list& b, nb::object scale_a,
                              nb::object scale_b, nb::object zero_a, nb::object zero_b,
                              const std::string& block_a, const std::string& block_b,
                              nb::object type_a, nb::object type_b, nb::object stage_as,
                              nb::object out, nb::object c, double alpha, double beta,
                              nb::object stream, const std::string& epilogue,
                              const std::string& config, nb::object out_dtype) {
  Wish wish = wish_of({epilogue, "f32", config, nb::none(), std::move(out_dtype), nb::none()});
  const nb::object none = nb::none();
  const ScaledLists scaled{
      {{"a", "scale_a", "zero_a", TensorRole::a, {}, none, none, block_a, type_a}, scale_a, zero_a},
      {{"b", "scale_b", "zero_b", TensorRole::b, {}, none, none, block_b, type_b},
       scale_b,
       zero_b}};
  for (const ScaledList* list : {&scaled.a, &scaled.b}) {
    check_count(list->side.scale_name, list->scales, nb::len(a));
    if (list->has_zeros()) check_count(list->side.zero_name, list->zeros, nb::len(a));
    Side side = list->side;
    side.scale = list->scales, side.zero = list->zeros;
    check_block(side);
  }
  if (!wish.out_dtype && out.is_none() && nb::len(a) > 0 && nb::len(b) > 0)
    wish.out_dtype = usual_result_of(scaled, a[0], b[0]);
  const std::vector<OwnArrays> groups = arrays_of(wish, a, b, out, c, &scaled);
  Bound bound = bind_each(wish, usual_operands(a, b, c, stream, alpha, beta), groups, &scaled,
                          stage_as.is_none() ? std::nullopt : std::optional(to_dtype(stage_as)));
  return run_each(wish, bound, groups, a, b);
}

}  // namespace

void add_each(nb::module_& core) {
  core.def("multiply_each", multiply_each, "a"_a, "b"_a, "out"_a.none(), "c"_a.none(), "alpha"_a,
           "beta"_a, "stream"_a.none(), "epilogue"_a, "config"_a, "dtype"_a.none(),
           "out_dtype"_a.none());
  core.def("multiply_scaled_each", multiply_scaled_each, "a"_a, "b"_a, "scale_a"_a.none(),
           "scale_b"_a.none(), "zero_a"_a.none(), "zero_b"_a.none(), "block_a"_a, "block_b"_a,
           "type_a"_a.none(), "type_b"_a.none(), "stage_as"_a.none(), "out"_a.none(), "c"_a.none(),
           "alpha"_a, "beta"_a, "stream"_a.none(), "epilogue"_a, "config"_a, "out_dtype"_a.none());
}

}  // namespace jute::python
