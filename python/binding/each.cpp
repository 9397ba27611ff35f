// Products of lists of arrays: groups with operands and extents of their own, in one launch.
#include <bit>

#include "calls.hpp"
#include "module.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

constexpr Index kVectorBytes = 16;

/// A group's arrays.
struct OwnArrays {
  Array a, b, c, d;
  nb::object out;
};

/// What one kind of operand is in every group.
using OfGroup = Array OwnArrays::*;

/// From one row, or column, to the next; none where the array does not lie so. That of a single one
/// is whatever suits.
std::optional<Index> ld_of_array(const Array& array, Order order) {
  const std::size_t inner = order == Order::row ? 1 : 0, outer = 1 - inner;
  const Index length = array.extent[inner], elems = kVectorBytes / width_bytes(array.type);
  if (length > 1 && array.stride[inner] != 1) return std::nullopt;
  if (array.extent[outer] <= 1) return (length + elems - 1) / elems * elems;
  if (array.stride[outer] < length) return std::nullopt;
  return array.stride[outer];
}

/// The matrix that describes all of them: an order, and what their addresses and steps keep.
Matrix matrix_of_all(const std::vector<OwnArrays>& groups, OfGroup operand, const char* name) {
  Matrix matrix;
  matrix.type = (groups.front().*operand).type;
  const auto lie = [&](Order order) {
    return std::ranges::all_of(groups, [&](const OwnArrays& group) {
      return ld_of_array(group.*operand, order).has_value();
    });
  };
  matrix.order = lie(Order::row) ? Order::row : Order::col;
  if (!lie(matrix.order))
    refuse(ErrorCode::unsupported, name, "arrays that lie differently",
           "of all groups it must lie by rows, or of all by columns, without gaps in them");
  std::uint64_t steps = kVectorBytes;
  for (const OwnArrays& group : groups) {
    const Array& array = group.*operand;
    if (span_bytes(array) == 0) continue;
    steps |= array.address | static_cast<std::uint64_t>(*ld_of_array(array, matrix.order) *
                                                        width_bytes(array.type));
  }
  matrix.alignment_bytes = alignment_of(steps, kVectorBytes);
  return matrix;
}

void check_matrix(const Array& array, const Array& first, const char* name) {
  if (array.rank != 2)
    refuse(ErrorCode::wrong_arity, name, std::to_string(array.rank) + " axes",
           "arrays of a list must be matrices", "2 axes");
  if (array.type != first.type)
    refuse(ErrorCode::wrong_type, name, std::string(jute::name(array.type)),
           "arrays of a list must have one type", std::string(jute::name(first.type)));
  if (array.device != first.device)
    refuse(ErrorCode::not_compatible, name, "another device",
           "all arrays must lie where the first one lies");
}

/// As many as there are groups, or none where the list is None.
void check_count(const char* name, const nb::object& list, std::size_t count) {
  if (!list.is_none() && nb::len(list) != count)
    refuse(ErrorCode::not_compatible, name, std::to_string(nb::len(list)) + " arrays",
           "a list must have an array for each group", std::to_string(count));
}

std::vector<OwnArrays> arrays_of(const Wish& wish, const nb::list& a, const nb::list& b,
                                 const nb::object& out, const nb::object& c) {
  if (nb::len(a) == 0)
    refuse(ErrorCode::wrong_arity, "a", "0 arrays", "there must be at least one group", "1");
  check_count("b", b, nb::len(a));
  check_count("out", out, nb::len(a));
  check_count("c", c, nb::len(a));
  std::vector<OwnArrays> groups(nb::len(a));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    OwnArrays& group = groups[i];
    const OwnArrays& first = groups.front();
    group.a = array_of(a[i], "a", wish.dtype);
    group.b = array_of(b[i], "b", wish.dtype);
    check_matrix(group.a, first.a, "a");
    check_matrix(group.b, first.b, "b");
    if (group.b.extent[0] != group.a.extent[1])
      refuse_shape("b", group.b.extents(), "it must have as many rows as a has columns",
                   {group.a.extent[1], group.b.extent[1]});
    const Extents shape{group.a.extent[0], group.b.extent[1]};
    const Operands operands{.a = a[i],
                            .b = b[i],
                            .out = out.is_none() ? nb::none() : nb::object(out[i]),
                            .c = nb::none(),
                            .stream = nb::none(),
                            .inputs = {},
                            .outputs = {}};
    group.d = output_array(wish, operands, group.a, shape, group.out);
    check_matrix(group.d, first.d, "out");
    if (c.is_none()) continue;
    group.c = array_of(c[i], "c", wish.out_dtype);
    check_shape("c", group.c, shape);
    check_matrix(group.c, first.c, "c");
  }
  return groups;
}

/// The largest of all groups: what the kernel's grid is made for.
void set_bounds(Problem& problem, const std::vector<OwnArrays>& groups) {
  for (const OwnArrays& group : groups) {
    problem.m = std::max(problem.m, group.a.extent[0]);
    problem.n = std::max(problem.n, group.b.extent[1]);
    problem.k = std::max(problem.k, group.a.extent[1]);
  }
}

Bound bind_each(const Wish& wish, const Operands& operands, const std::vector<OwnArrays>& groups) {
  Bound bound;
  const OwnArrays& first = groups.front();
  bound.a = first.a, bound.b = first.b, bound.c = first.c, bound.d = first.d;
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
  finish(bound, wish, operands);
  return bound;
}

/// The device's entry for each group; `place` says where an array lies there.
template <class Place>
std::vector<EachGroup> entries_of(const Problem& problem, const std::vector<OwnArrays>& groups,
                                  bool has_c, const Place& place) {
  std::vector<EachGroup> entries;
  for (const OwnArrays& group : groups) {
    EachGroup& entry = entries.emplace_back();
    entry.m = static_cast<std::int32_t>(group.a.extent[0]);
    entry.n = static_cast<std::int32_t>(group.b.extent[1]);
    entry.k = static_cast<std::int32_t>(group.a.extent[1]);
    const auto put = [&](const Array& array, const Matrix& matrix, std::uint64_t& address,
                         std::int64_t& ld) {
      if (span_bytes(array) == 0) return;  // it has no elements, and no address that counts
      address = place(array);
      ld = *ld_of_array(array, matrix.order);
    };
    put(group.a, problem.a, entry.a, entry.lda);
    put(group.b, problem.b, entry.b, entry.ldb);
    put(group.d, problem.d, entry.d, entry.ldd);
    if (has_c) put(group.c, problem.c, entry.c, entry.ldc);
  }
  return entries;
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
  const auto bytes = std::as_bytes(std::span(entries));
  const Buffer list(backend, static_cast<Index>(bytes.size()));
  backend.copy_in(list.pointer(), bytes);
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
  const auto bytes = std::as_bytes(std::span(entries));
  const nb::object list =
      new_array(like, bound.a, DType::f64, {static_cast<Index>(bytes.size() / sizeof(double))});
  const Array array = array_of(list, "list");
  runtime_of(bound.a.device).context().backend().copy_in(array.address, bytes, bound.args.stream);
  bound.args.ends = array.address;
  run(bound, prepared, like);
}

nb::list multiply_each(const nb::list& a, const nb::list& b, nb::object out, nb::object c,
                       double alpha, double beta, nb::object stream, const std::string& epilogue,
                       const std::string& config, nb::object dtype, nb::object out_dtype) {
  const Wish wish =
      wish_of({epilogue, "f32", config, std::move(dtype), std::move(out_dtype), nb::none()});
  const std::vector<OwnArrays> groups = arrays_of(wish, a, b, out, c);
  const nb::object first_a = a[0], first_b = b[0];
  Bound bound = bind_each(wish,
                          {.a = first_a,
                           .b = first_b,
                           .out = nb::none(),
                           .c = std::move(c),
                           .stream = std::move(stream),
                           .inputs = {},
                           .outputs = {},
                           .alpha = alpha,
                           .beta = beta},
                          groups);
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
    run_each_on_gpu(bound, *prepared, first_a, groups);
  }
  nb::list results;
  for (const OwnArrays& group : groups) results.append(group.out);
  return results;
}

}  // namespace

void add_each(nb::module_& core) {
  core.def("multiply_each", multiply_each, "a"_a, "b"_a, "out"_a.none(), "c"_a.none(), "alpha"_a,
           "beta"_a, "stream"_a.none(), "epilogue"_a, "config"_a, "dtype"_a.none(),
           "out_dtype"_a.none());
}

}  // namespace jute::python
