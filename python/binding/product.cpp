// From arrays to a problem: shapes, strides, what an epilogue reads and writes.
#include "product.hpp"

#include <unordered_map>

namespace jute::python {

namespace {

/// The axes of a matrix, or of a vector that lacks one, behind those of a batch.
Axes matrix_axes(int rank, const char* name, bool is_left) {
  if (rank == 0)
    refuse(ErrorCode::wrong_arity, name, "no axes", "a product's operand must have axes", "2 axes");
  if (rank == 1) return is_left ? Axes{{}, {}, {0}} : Axes{{}, {0}, {}};
  Axes axes{{}, {rank - 2}, {rank - 1}};
  for (int i = 0; i < rank - 2; ++i) axes.batch.push_back(i);
  return axes;
}

/// The array with its batch axes repeated as numpy does it: by strides of 0.
Array broadcast(const Array& array, const Axes& axes, const Extents& batch) {
  Array wide = array;
  const auto own = axes.batch.size(), wanted = batch.size();
  const auto rest = static_cast<std::size_t>(array.rank) - own;
  wide.rank = static_cast<int>(wanted + rest);
  if (wide.rank > kMostAxes)
    refuse(ErrorCode::out_of_range, "batch", std::to_string(wanted) + " axes",
           "a matrix must have at most 6 batch axes", "6");
  for (std::size_t i = 0; i < wanted; ++i) {
    const bool is_there = i + own >= wanted;
    const std::size_t from = i + own - wanted;
    const bool repeats = !is_there || array.extent[from] != batch[i];
    wide.extent[i] = batch[i];
    wide.stride[i] = repeats ? 0 : array.stride[from];
  }
  for (std::size_t i = 0; i < rest; ++i) {
    wide.extent[wanted + i] = array.extent[own + i];
    wide.stride[wanted + i] = array.stride[own + i];
  }
  return wide;
}

Extents common_batch(const Array& a, std::size_t of_a, const Array& b, std::size_t of_b) {
  Extents batch(std::max(of_a, of_b), 1);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::size_t from_end = batch.size() - i;
    const Index left = from_end <= of_a ? a.extent[of_a - from_end] : 1;
    const Index right = from_end <= of_b ? b.extent[of_b - from_end] : 1;
    if (left != right && left != 1 && right != 1)
      refuse_shape("b", extents_of(b), "the batch axes of a and b must be equal, or 1", {left});
    batch[i] = left == 1 ? right : left;
  }
  return batch;
}

/// a, b and d as matrices, and d's shape.
struct Views {
  MatrixView a, b, d;
  Axes d_axes;
  Extents shape;
};

/// As numpy.matmul: vectors lose an axis, batches are repeated.
Views matmul_views(const Array& a, const Array& b) {
  const Axes of_a = matrix_axes(a.rank, "a", true), of_b = matrix_axes(b.rank, "b", false);
  Views views;
  if (of_a.batch.empty() && of_b.batch.empty()) {
    views.a = view_of(a, of_a, "a");
    views.b = view_of(b, of_b, "b");
  } else {
    const Extents batch = common_batch(a, of_a.batch.size(), b, of_b.batch.size());
    const auto wide = [&](const Array& array, const Axes& own, const char* name, bool is_left) {
      Array repeated = broadcast(array, own, batch);
      Axes axes = matrix_axes(repeated.rank, name, is_left);
      if (array.rank == 1) {  // a vector beside batches
        const int last = repeated.rank - 1;
        axes = is_left ? Axes{{}, {}, {last}} : Axes{{}, {last}, {}};
        for (int i = 0; i < last; ++i) axes.batch.push_back(i);
      }
      return view_of(repeated, axes, name);
    };
    views.a = wide(a, of_a, "a", true);
    views.b = wide(b, of_b, "b", false);
    views.shape = batch;
  }
  for (int i = 0; i < static_cast<int>(views.shape.size()); ++i) views.d_axes.batch.push_back(i);
  const auto add = [&](std::vector<int>& index, Index extent) {
    index.push_back(static_cast<int>(views.shape.size()));
    views.shape.push_back(extent);
  };
  if (a.rank > 1) add(views.d_axes.rows, views.a.rows.extent);
  if (b.rank > 1) add(views.d_axes.cols, views.b.cols.extent);
  return views;
}

Views views_of(const Wish& wish, const Array& a, const Array& b) {
  Views views;
  if (wish.roles) {
    views.a = view_of(a, wish.roles->a, "a");
    views.b = view_of(b, wish.roles->b, "b");
    views.d_axes = wish.roles->d;
    views.shape = wish.roles->shape;
  } else {
    views = matmul_views(a, b);
  }
  if (views.a.cols.extent != views.b.rows.extent) {
    Extents nearest = extents_of(b);
    nearest[nearest.size() > 1 ? nearest.size() - 2 : 0] = views.a.cols.extent;
    refuse_shape(
        "b", extents_of(b),
        "it must have as many rows as a has columns (" + std::to_string(views.a.cols.extent) + ")",
        nearest);
  }
  return views;
}

void check_shape(const char* name, const Array& array, const Extents& wanted) {
  if (extents_of(array) != wanted)
    refuse_shape(name, extents_of(array), "it must have the shape of the product", wanted);
}

/// Where no run chooses beta it is what the problem says.
double beta_of(const Problem& problem, double asked) {
  if (!problem.epilogue) return problem.beta == Scale::zero ? 0 : asked;
  const EpilogueExpression& expression = problem.epilogue->expression;
  if (names(expression, EpilogueOp::beta)) return asked;
  return names(expression, EpilogueOp::c) ? 1 : 0;
}

void set_scales(Bound& bound, const Operands& operands) {
  Problem& problem = bound.problem;
  problem.alpha = operands.alpha == 1 ? Scale::one : Scale::run_time;
  problem.beta = !bound.has_c ? Scale::zero : operands.beta == 1 ? Scale::one : Scale::run_time;
}

void add_to(std::string& key, const auto& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void add_matrix(std::string& key, const Matrix& matrix) {
  add_to(key, matrix.type);
  add_to(key, matrix.order);
  add_to(key, matrix.ld_elems);
  add_to(key, matrix.batch_stride_elems);
  add_to(key, matrix.broadcast);
  add_to(key, matrix.alignment_bytes);
}

std::string key_of(const Wish& wish, const Problem& problem) {
  std::string key;
  key.reserve(256);
  if (!problem.m_range) add_to(key, problem.m);
  for (const Index extent : {problem.n, problem.k, problem.batch}) add_to(key, extent);
  for (const Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    add_matrix(key, *matrix);
  add_to(key, problem.alpha);
  add_to(key, problem.beta);
  add_to(key, wish.precision);
  if (problem.epilogue) {
    for (const EpilogueOperand& input : problem.epilogue->inputs) {
      add_matrix(key, input);
      add_to(key, input.by_value);
    }
    for (const EpilogueOperand& output : problem.epilogue->outputs) add_matrix(key, output);
  }
  key += wish.epilogue;
  key += '\0';
  key += wish.config;
  if (problem.m_range) key += to_string(*problem.m_range);
  return key;
}

std::uint64_t stream_of(const nb::object& stream, const Array& array) {
  if (stream.is_none()) return current_stream(array);
  for (const char* name : {"cuda_stream", "ptr"})
    if (nb::hasattr(stream, name)) return nb::cast<std::uint64_t>(stream.attr(name));
  return nb::cast<std::uint64_t>(stream);
}

void check_device(const Array& array, const Array& first, const char* name) {
  if (array.device == first.device) return;
  const auto place = [](int device) {
    return device == kHost ? std::string("host memory") : "cuda:" + std::to_string(device);
  };
  refuse(ErrorCode::not_compatible, name, place(array.device),
         "all operands must lie where a lies: " + place(first.device));
}

void check_devices(const Bound& bound) {
  check_device(bound.b, bound.a, "b");
  check_device(bound.d, bound.a, "out");
  if (bound.has_c) check_device(bound.c, bound.a, "c");
  for (const auto* all : {&bound.inputs, &bound.outputs})
    for (const NamedArray& named : *all)
      if (named.object.is_valid() && !named.is_number)
        check_device(named.array, bound.a, "epilogue");
}

}  // namespace

const EpilogueExpression& expression_of(const std::string& text) {
  static auto* parsed = new std::unordered_map<std::string, EpilogueExpression>;
  const auto found = parsed->find(text);
  if (found != parsed->end()) return found->second;
  return parsed->emplace(text, parse_epilogue(text)).first->second;
}

Bound bind(const Wish& wish, const Operands& operands) {
  Bound bound;
  bound.a = array_of(operands.a, "a", wish.dtype);
  bound.b = array_of(operands.b, "b", wish.dtype);
  const Views views = views_of(wish, bound.a, bound.b);
  const DType type = wish.out_dtype.value_or(usual_output_type(bound.a.type));
  bound.out = operands.out.is_none()
                  ? new_array(operands.a, bound.a, type, nb::tuple(nb::cast(views.shape)))
                  : operands.out;
  bound.d = writable_array_of(bound.out, "out",
                              operands.out.is_none() ? std::optional(type) : wish.out_dtype);
  check_shape("out", bound.d, views.shape);

  Problem& problem = bound.problem;
  problem.m = views.a.rows.extent, problem.n = views.b.cols.extent;
  problem.k = views.a.cols.extent;
  problem.batch = std::max(views.a.batch.extent, views.b.batch.extent);
  if (std::min(views.a.batch.extent, views.b.batch.extent) == 0) problem.batch = 0;
  problem.precision = wish.precision;
  problem.m_range = wish.m_range;
  problem.a = operand(views.a, bound.a, "a");
  problem.b = operand(views.b, bound.b, "b");
  problem.d = operand(view_of(bound.d, views.d_axes, "out"), bound.d, "out");
  problem.c = problem.d;
  bound.has_c = !operands.c.is_none();
  if (bound.has_c) {
    bound.c = array_of(operands.c, "c", wish.out_dtype);
    check_shape("c", bound.c, views.shape);
    problem.c = operand(view_of(bound.c, views.d_axes, "c"), bound.c, "c");
  }
  set_scales(bound, operands);
  if (!wish.epilogue.empty()) {
    problem.epilogue = Epilogue{expression_of(wish.epilogue)};
    if (!bound.has_c && names(problem.epilogue->expression, EpilogueOp::c))
      refuse(ErrorCode::wrong_arity, "c", "None", "the epilogue reads it: it must be given");
    add_epilogue_arrays(bound, operands);
  }
  check_devices(bound);
  bound.key = key_of(wish, problem);
  GemmArgs& args = bound.args;
  args.a = bound.a.address, args.b = bound.b.address, args.d = bound.d.address;
  args.c = bound.has_c ? bound.c.address : bound.d.address;
  args.alpha = operands.alpha, args.beta = beta_of(problem, operands.beta);
  args.m = problem.m;
  args.stream.handle = stream_of(operands.stream, bound.a);
  return bound;
}

}  // namespace jute::python
