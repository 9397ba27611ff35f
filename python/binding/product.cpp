// From arrays to a problem: shapes, strides, what an epilogue reads and writes.
#include "product.hpp"

#include <unordered_map>

#include "calls.hpp"
#include "integer_lists.hpp"

namespace jute::python {

namespace {

/// The axes of a matrix, or of a vector that lacks one, behind those of a batch.
Axes matrix_axes(int rank, const char* name, bool is_left) {
  if (rank == 0)
    refuse(ErrorCode::wrong_arity, name, "no axes", "a product's operand must have axes", "2 axes");
  if (rank == 1) return is_left ? Axes{0, {}, 0} : Axes{0, 0, {}};
  return {rank - 2, rank - 2, rank - 1};
}

/// The array with its batch axes repeated as numpy does it: by strides of 0.
Array broadcast(const Array& array, int own_batch, const Extents& batch) {
  Array wide = array;
  const auto own = static_cast<std::size_t>(own_batch), wanted = batch.size();
  const auto rest = static_cast<std::size_t>(array.rank) - own;
  wide.rank = static_cast<int>(wanted + rest);
  if (wide.rank > kMostAxes) {
    const std::string most = std::to_string(kMostAxes - 2);
    refuse(ErrorCode::out_of_range, "batch", std::to_string(wanted) + " axes",
           "a matrix must have at most " + most + " batch axes", most);
  }
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

Extents common_batch(const Array& a, int axes_of_a, const Array& b, int axes_of_b) {
  const auto of_a = static_cast<std::size_t>(axes_of_a), of_b = static_cast<std::size_t>(axes_of_b);
  Extents batch;
  for (std::size_t from_end = std::max(of_a, of_b); from_end > 0; --from_end) {
    const Index left = from_end <= of_a ? a.extent[of_a - from_end] : 1;
    const Index right = from_end <= of_b ? b.extent[of_b - from_end] : 1;
    if (left != right && left != 1 && right != 1)
      refuse_shape("b", b.extents(), "the batch axes of a and b must be equal, or 1", {left});
    batch.push_back(left == 1 ? right : left);
  }
  return batch;
}

/// a, b and d as matrices, and d's shape.
struct Views {
  MatrixView a, b;
  Axes d_axes;
  Extents shape;
};

/// An operand beside batches: a vector keeps its one axis behind them.
MatrixView repeated_view(const Array& array, const Axes& own, const Extents& batch) {
  const Array repeated = broadcast(array, own.batch, batch);
  Axes axes = own;
  axes.batch = static_cast<int>(batch.size());
  const int moved = axes.batch - own.batch;
  if (axes.rows) *axes.rows += moved;
  if (axes.cols) *axes.cols += moved;
  return view_of(repeated, axes);
}

/// As numpy.matmul: vectors lose an axis, batches are repeated.
Views views_of(const Array& a, const Array& b) {
  const Axes of_a = matrix_axes(a.rank, "a", true), of_b = matrix_axes(b.rank, "b", false);
  Views views;
  if (of_a.batch == 0 && of_b.batch == 0) {
    views.a = view_of(a, of_a);
    views.b = view_of(b, of_b);
  } else {
    views.shape = common_batch(a, of_a.batch, b, of_b.batch);
    views.a = repeated_view(a, of_a, views.shape);
    views.b = repeated_view(b, of_b, views.shape);
  }
  views.d_axes.batch = static_cast<int>(views.shape.size());
  const auto add = [&](std::optional<int>& index, Index extent) {
    index = static_cast<int>(views.shape.size());
    views.shape.push_back(extent);
  };
  if (a.rank > 1) add(views.d_axes.rows, views.a.rows.extent);
  if (b.rank > 1) add(views.d_axes.cols, views.b.cols.extent);
  if (views.a.cols.extent != views.b.rows.extent) {
    Extents nearest = b.extents();
    nearest[nearest.size() > 1 ? nearest.size() - 2 : 0] = views.a.cols.extent;
    refuse_shape(
        "b", b.extents(),
        "it must have as many rows as a has columns (" + std::to_string(views.a.cols.extent) + ")",
        nearest);
  }
  return views;
}

/// Where no run chooses beta it is what the problem says.
double beta_of(const Problem& problem, double asked) {
  if (!problem.epilogue) return problem.beta == Factor::zero ? 0 : asked;
  const EpilogueExpression& expression = problem.epilogue->expression;
  if (names(expression, EpilogueOp::beta)) return asked;
  return names(expression, EpilogueOp::c) ? 1 : 0;
}

void set_scales(Bound& bound, const Operands& operands) {
  Problem& problem = bound.problem;
  problem.alpha = operands.alpha == 1 ? Factor::one : Factor::run_time;
  problem.beta = !bound.has_c ? Factor::zero : operands.beta == 1 ? Factor::one : Factor::run_time;
}

/// Modes of rows, columns and batch of a View whose numbers are not known.
std::string modes_text(const View& view) {
  const ViewModes modes = modes_of(view);
  std::string text = "modes";
  for (const auto* each : {&modes.rows, &modes.columns, &modes.batch})
    text += " " + std::to_string(each->size());
  return text;
}

/// The problem without the numbers that runs say.
Problem kind_of(Problem problem) {
  problem.m = problem.n = problem.k = problem.batch = 0;
  return problem;
}

void add_matrix(std::string& key, const Matrix& matrix) {
  add_to(key, matrix.type);
  add_to(key, matrix.order);
  add_to(key, matrix.ld_elems);
  add_to(key, matrix.batch_stride_elems);
  add_to(key, matrix.broadcast);
  add_to(key, matrix.alignment_bytes);
  if (matrix.view)
    key += matrix.view->numbers == ViewNumbers::run_time ? modes_text(*matrix.view)
                                                         : to_string(*matrix.view);
  if (matrix.rows) key += to_string(*matrix.rows);
}

void add_numbers(std::string& key, const std::optional<BlockValues>& numbers) {
  add_to(key, numbers.has_value());
  if (!numbers) return;
  add_matrix(key, *numbers);
  add_to(key, numbers->block.mn);
  add_to(key, numbers->block.k);
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
  if (problem.groups) key += to_string(*problem.groups);
  if (problem.gate) key += name(*problem.gate);
  for (const OperandScale* scale : {&problem.scale_a, &problem.scale_b}) {
    if (is_plain(*scale)) continue;
    key += scale == &problem.scale_a ? 'a' : 'b';
    add_numbers(key, scale->scale);
    add_numbers(key, scale->zero);
    add_to(key, scale->offset);
  }
  if (problem.staged) add_to(key, *problem.staged);
  return key;
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
  if (bound.problem.groups) check_device(bound.list, bound.a, bound.list_name);
  if (bound.problem.a.rows) check_device(bound.rows_a, bound.a, "rows_a");
  if (bound.problem.d.rows) check_device(bound.rows_d, bound.a, "rows_d");
  for (const BlockNumbers& one : bound.numbers) check_device(one.array, bound.a, one.name);
  for (const auto* all : {&bound.inputs, &bound.outputs})
    for (const NamedArray& named : *all)
      if (named.object.is_valid() && !named.is_number)
        check_device(named.array, bound.a, "epilogue");
}

}  // namespace

namespace {

bool has_gate(const Wish& wish) {
  return !wish.epilogue.empty() && names(expression_of(wish.epilogue), EpilogueOp::gate);
}

}  // namespace

std::uint64_t stream_of(const nb::object& stream, const Array& array) {
  if (stream.is_none()) return current_stream(array);
  for (const char* name : {"cuda_stream", "ptr"})
    if (nb::hasattr(stream, name)) return nb::cast<std::uint64_t>(stream.attr(name));
  return nb::cast<std::uint64_t>(stream);
}

Index columns_of_d(const Wish& wish, const Array& b, Index columns) {
  if (!has_gate(wish)) return columns;
  if (columns % 2 != 0) {
    Extents nearest = b.extents();
    ++nearest[nearest.size() - 1];
    refuse_shape("b", b.extents(), "it must have two columns for each of the result, a gate's",
                 nearest);
  }
  return columns / 2;
}

void check_shape(const char* name, const Array& array, const Extents& wanted) {
  if (Extents(array.extents()) != wanted)
    refuse_shape(name, array.extents(), "it must have the shape of the product", wanted);
}

namespace {

/// A word of the call: whether it is another than the usual one, and whether something reads it.
struct SaidWord {
  const char* name;
  bool is_said, is_read;
  const char* rule;
  std::string (*value)(const Wish&, const Operands&);
};

std::string number_text(double number) {
  return nb::cast<std::string>(nb::str(nb::float_(number)));
}
std::string names_text(const nb::dict& named) {
  std::string text;
  for (const auto& [name, value] : named)
    text += (text.empty() ? "" : ", ") + nb::cast<std::string>(nb::str(name));
  return text;
}

/// What a call says and nothing would read is refused, as is what lacks its array.
void check_words(const Bound& bound, const Wish& wish, const Operands& operands) {
  const bool has_epilogue = !wish.epilogue.empty();
  const auto reads = [&](EpilogueOp op) {
    return has_epilogue ? names(expression_of(wish.epilogue), op) : op != EpilogueOp::gate;
  };
  const auto alpha = [](const Wish&, const Operands& given) { return number_text(given.alpha); };
  const auto beta = [](const Wish&, const Operands& given) { return number_text(given.beta); };
  const auto array = [](const Wish&, const Operands&) { return std::string("an array"); };
  const auto gate = [](const Wish& asked, const Operands&) {
    return std::string(name(asked.gate));
  };
  const auto inputs = [](const Wish&, const Operands& given) { return names_text(given.inputs); };
  const auto outputs = [](const Wish&, const Operands& given) { return names_text(given.outputs); };
  const auto stream = [](const Wish&, const Operands& given) {
    return nb::cast<std::string>(nb::str(given.stream));
  };
  const bool has_stream = bound.a.device == kHost && !operands.stream.is_none();
  const char* const by_name = "the epilogue must name it, or it be left out";
  const char* const by_any = "an epilogue must name it, or it be left out";
  const SaidWord words[] = {
      {"alpha", operands.alpha != 1, reads(EpilogueOp::alpha), by_name, alpha},
      {"beta", operands.beta != 1 && bound.has_c, reads(EpilogueOp::beta), by_name, beta},
      {"c", bound.has_c, reads(EpilogueOp::c), by_name, array},
      {"gate", wish.gate != GateColumns::halves, reads(EpilogueOp::gate), by_any, gate},
      {"inputs", operands.inputs.size() > 0, has_epilogue, by_any, inputs},
      {"outputs", operands.outputs.size() > 0, has_epilogue, by_any, outputs},
      {"stream", has_stream && stream_of(operands.stream, bound.a) != 0, false,
       "of arrays in host memory it must be None: they are multiplied on the emulator", stream}};
  for (const SaidWord& word : words)
    if (word.is_said && !word.is_read)
      refuse(ErrorCode::unsupported, word.name, word.value(wish, operands), word.rule);
  if (bound.has_c) return;
  if (has_epilogue && reads(EpilogueOp::c))
    refuse(ErrorCode::wrong_arity, "c", "None", "the epilogue reads it: it must be given");
  if (operands.beta != 0 && operands.beta != 1)
    refuse(ErrorCode::wrong_arity, "c", "None", "beta scales it: it must be given");
}

}  // namespace

DevicePointer& place_of(GemmArgs& args, TensorRole role) {
  switch (role) {
    case TensorRole::scale_a:
      return args.scale_a;
    case TensorRole::scale_b:
      return args.scale_b;
    case TensorRole::zero_a:
      return args.zero_a;
    default:
      return args.zero_b;
  }
}

const EpilogueExpression& expression_of(const std::string& text) {
  static auto* parsed = new std::unordered_map<std::string, EpilogueExpression>;
  const auto found = parsed->find(text);
  if (found != parsed->end()) return found->second;
  return parsed->emplace(text, parse_epilogue(text)).first->second;
}

void add_array(std::string& key, const Array& array) {
  add_to(key, array.type);
  add_to(key, array.rank);
  add_to(key, promised_alignment(array));
  for (const auto numbers : {array.extents(), array.strides()})
    key.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
}

Array output_array(const Wish& wish, const Operands& operands, const Array& first,
                   const Extents& shape, nb::object& out) {
  const bool is_given = !operands.out.is_none();
  const DType type = wish.out_dtype.value_or(usual_output_type(first.type));
  if (!is_given && is_stored_only(type))
    refuse(
        ErrorCode::wrong_type, wish.out_dtype ? "out_dtype" : "a", std::string(name(type)),
        "elements of this type are only converted: they must be read by jute.scaled_mm, or be its "
        "scales");
  out = is_given ? operands.out : new_array(operands.a, first, type, shape);
  const Array array =
      writable_array_of(out, "out", is_given ? wish.out_dtype : std::optional(type));
  check_shape("out", array, shape);
  return array;
}

void finish(Bound& bound, const Wish& wish, const Operands& operands) {
  Problem& problem = bound.problem;
  check_words(bound, wish, operands);
  set_scales(bound, operands);
  if (!wish.epilogue.empty()) {
    problem.epilogue = Epilogue{expression_of(wish.epilogue)};
    if (has_gate(wish)) problem.gate = wish.gate;
    add_epilogue_arrays(bound, operands);
  }
  check_devices(bound);
  if (!operands.out.is_none()) {
    if (operands.packed_a == 0) refuse_shared(bound.d, bound.a, "a");
    if (operands.packed_b == 0) refuse_shared(bound.d, bound.b, "b");
  }
  bound.key = key_of(wish, problem);
  if (wish.numbers == ViewNumbers::run_time) bound.kind = key_of(wish, kind_of(problem));
  GemmArgs& args = bound.args;
  args.packed_a = operands.packed_a, args.packed_b = operands.packed_b;
  if (args.packed_a == 0) args.a = bound.a.address;
  if (args.packed_b == 0) args.b = bound.b.address;
  args.d = bound.d.address;
  args.c = bound.has_c ? bound.c.address : bound.d.address;
  for (const BlockNumbers& one : bound.numbers) place_of(args, one.role) = one.array.address;
  if (problem.a.rows) args.rows_a = bound.rows_a.address;
  if (problem.d.rows) args.rows_d = bound.rows_d.address;
  args.alpha = operands.alpha, args.beta = beta_of(problem, operands.beta);
  args.stream.handle = stream_of(operands.stream, bound.a);
}

Bound bind(const Wish& wish, const Operands& operands) {
  Bound bound;
  bound.a = operands.array_a ? *operands.array_a : array_of(operands.a, "a", wish.dtype);
  bound.b = operands.array_b ? *operands.array_b : array_of(operands.b, "b", wish.dtype);
  Views views = views_of(bound.a, bound.b);
  const Index columns = columns_of_d(wish, bound.b, views.b.cols.extent);
  if (views.d_axes.cols) views.shape[static_cast<std::size_t>(*views.d_axes.cols)] = columns;
  const TabledRows rows = read_rows(bound, operands, views.a.rows.extent, views.d_axes.rows);
  Extents shape_of_d = views.shape;
  if (views.d_axes.rows) {
    const auto axis = static_cast<std::size_t>(*views.d_axes.rows);
    views.shape[axis] = rows.m, shape_of_d[axis] = rows.of_d;
  }
  bound.d = output_array(wish, operands, bound.a, shape_of_d, bound.out);

  Problem& problem = bound.problem;
  problem.m = rows.m, problem.n = columns;
  problem.k = views.a.cols.extent;
  const Index of_a = views.a.batch.extent(), of_b = views.b.batch.extent();
  problem.batch = std::min(of_a, of_b) == 0 ? 0 : std::max(of_a, of_b);
  problem.precision = wish.precision;
  problem.m_range = wish.m_range;
  auto* const matrix = wish.numbers == ViewNumbers::run_time ? &run_time_operand : &operand;
  problem.a = matrix(views.a, bound.a, "a", Coordinates::rows_first);
  problem.b = matrix(views.b, bound.b, "b", Coordinates::columns_first);
  problem.d = matrix(view_of(bound.d, views.d_axes), bound.d, "out", Coordinates::rows_first);
  problem.c = problem.d;
  if (rows.a) lie_by_rows(problem.a, views.a);
  if (rows.d) lie_by_rows(problem.d, view_of(bound.d, views.d_axes));
  problem.a.rows = rows.a, problem.d.rows = rows.d;
  bound.has_c = !operands.c.is_none();
  if (bound.has_c) {
    bound.c = array_of(operands.c, "c", wish.out_dtype);
    check_shape("c", bound.c, views.shape);
    problem.c = matrix(view_of(bound.c, views.d_axes), bound.c, "c", Coordinates::rows_first);
  }
  finish(bound, wish, operands);
  bound.args.m = problem.m;
  return bound;
}

}  // namespace jute::python
