// A product besides its matrices: words that are read, its key, where all of it lies.
#include "product.hpp"

#include <unordered_map>

namespace jute::python {

namespace {

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

/// The matrices that lie by rows of a problem, and where a run says they are.
template <class Visit>
void for_each_of_rows(Problem& problem, GemmArgs& args, const Visit& visit) {
  for (const TensorRole role : kAllTensors)
    if (Matrix* const matrix = matrix_of(problem, role);
        matrix != nullptr && !jute::name(role).ends_with('b')) {
      const RunStrides strides = strides_in(args, role);
      visit(*matrix, *strides.ld, *strides.batch_stride);
    }
}

/// The problem without the numbers that runs say: all of them, or of a range those of its rows.
Problem kind_of(const Wish& wish, Problem problem) {
  if (wish.numbers == ViewNumbers::run_time) problem.m = problem.n = problem.k = problem.batch = 0;
  if (!problem.m_range) return problem;
  GemmArgs none;
  for_each_of_rows(problem, none, [](Matrix& matrix, const auto&, const auto&) {
    matrix.ld_elems = matrix.batch_stride_elems = 0;
  });
  return problem;
}

/// A run of a range says how its own rows lie. One row lies both ways: as it was prepared for.
void say_rows(Problem& problem, GemmArgs& args, const Problem* like) {
  std::vector<Order> orders;
  if (like != nullptr) {
    Problem prepared = *like;
    for_each_of_rows(prepared, args, [&](const Matrix& matrix, const auto&, const auto&) {
      orders.push_back(matrix.order);
    });
  }
  std::size_t i = 0;
  for_each_of_rows(problem, args, [&](Matrix& matrix, auto& ld, auto& batch_stride) {
    const Order wanted = i < orders.size() ? orders[i++] : matrix.order;
    if (matrix.view) return;
    if (problem.m == 1 && matrix.order == Order::row && wanted == Order::col)
      matrix.order = wanted, matrix.ld_elems = 1;
    ld = matrix.ld_elems;
    if (!matrix.broadcast) batch_stride = matrix.batch_stride_elems;
  });
  if (!problem.epilogue) return;
  for (std::size_t at = 0; at < problem.epilogue->outputs.size(); ++at)
    if (is_d(problem.epilogue->expression.outputs[at]))
      problem.epilogue->outputs[at].order = problem.d.order;
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

std::string key_of(const Wish& wish, const Problem& problem) {
  std::string key;
  key.reserve(256);
  if (!problem.m_range) add_to(key, problem.m);
  for (const Index extent : {problem.n, problem.k, problem.batch}) add_to(key, extent);
  for (const TensorRole role : kAllTensors) {
    const Matrix* const matrix = matrix_of(problem, role);
    if (matrix == nullptr) continue;
    add_to(key, role);
    add_matrix(key, *matrix);
    if (is_of_blocks(role)) add_to(key, static_cast<const BlockValues*>(matrix)->block);
  }
  add_to(key, problem.alpha);
  add_to(key, problem.beta);
  add_to(key, wish.precision);
  if (problem.epilogue)
    for (const EpilogueOperand& input : problem.epilogue->inputs)
      if (input.by_value) add_matrix(key, input);
  key += wish.epilogue;
  key += '\0';
  key += wish.config;
  add_to(key, wish.fast_accum);
  add_to(key, wish.batch_invariant);
  if (problem.m_range) key += to_string(*problem.m_range);
  if (problem.groups) key += to_string(*problem.groups);
  if (problem.gate) key += name(*problem.gate);
  add_to(key, problem.scale_a.offset);
  add_to(key, problem.scale_b.offset);
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
  for (const BoundArray& one : bound.arrays) check_device(one.array, bound.a, one.name);
  for (const auto* all : {&bound.inputs, &bound.outputs})
    for (const NamedArray& named : *all)
      if (named.object.is_valid() && !named.is_number)
        check_device(named.array, bound.a, "epilogue");
}

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

Problem like_problem_of(const Wish& wish, const Bound& bound) {
  Problem like;
  const auto matrix = [](const Array& array) {
    Matrix made{array.type};
    made.alignment_bytes = promised_alignment(array);
    return made;
  };
  like.a = matrix(bound.a), like.b = matrix(bound.b), like.d = matrix(bound.d);
  like.c = bound.has_c ? matrix(bound.c) : like.d;
  like.precision = wish.precision;
  return like;
}

void read_c(Bound& bound, const Wish& wish, const Operands& operands, const Extents& shape) {
  bound.has_c = operands.has(TensorRole::c);
  if (!bound.has_c) return;
  bound.c = array_of(operands.given[TensorRole::c], "c", wish.out_dtype);
  check_shape("c", bound.c, shape);
}

void check_shape(const char* name, const Array& array, const Extents& wanted) {
  if (Extents(array.extents()) != wanted)
    refuse_shape(name, array.extents(), "it must have the shape of the product", wanted);
}

namespace {

std::string number_text(double number) {
  return nb::cast<std::string>(nb::str(nb::float_(number)));
}
std::string names_text(const nb::dict& named) {
  std::string text;
  for (const auto& [name, value] : named)
    text += (text.empty() ? "" : ", ") + nb::cast<std::string>(nb::str(name));
  return text;
}

/// Refuses words of a call that nothing would read, or that lack their array.
void check_words(const Bound& bound, const Wish& wish, const Operands& operands) {
  const bool has_epilogue = !wish.epilogue.empty();
  const auto reads = [&](EpilogueOp op) {
    return has_epilogue ? names(expression_of(wish.epilogue), op) : op != EpilogueOp::gate;
  };
  const auto refuse_if = [](bool is_unread, const char* name, const auto& value,
                            const char* rule = "an epilogue must name it, or it be left out") {
    if (is_unread) refuse(ErrorCode::unsupported, name, value(), rule);
  };
  const char* const by_name = "the epilogue must name it, or it be left out";
  refuse_if(
      operands.alpha != 1 && !reads(EpilogueOp::alpha), "alpha",
      [&] { return number_text(operands.alpha); }, by_name);
  refuse_if(
      operands.beta != 1 && bound.has_c && !reads(EpilogueOp::beta), "beta",
      [&] { return number_text(operands.beta); }, by_name);
  refuse_if(
      bound.has_c && !reads(EpilogueOp::c), "c", [] { return "an array"; }, by_name);
  refuse_if(wish.gate != GateColumns::halves && !reads(EpilogueOp::gate), "gate",
            [&] { return std::string(name(wish.gate)); });
  refuse_if(operands.inputs.size() > 0 && !has_epilogue, "inputs",
            [&] { return names_text(operands.inputs); });
  refuse_if(operands.outputs.size() > 0 && !has_epilogue, "outputs",
            [&] { return names_text(operands.outputs); });
  refuse_if(
      bound.a.device == kHost && !operands.stream.is_none() &&
          stream_of(operands.stream, bound.a) != 0,
      "stream", [&] { return nb::cast<std::string>(nb::str(operands.stream)); },
      "of arrays in host memory it must be None: they are multiplied on the emulator");
  if (bound.has_c) return;
  if (has_epilogue && reads(EpilogueOp::c))
    refuse(ErrorCode::wrong_arity, "c", "None", "the epilogue reads it: it must be given");
  if (!has_epilogue && operands.beta != 0 && operands.beta != 1)
    refuse(ErrorCode::wrong_arity, "c", "None", "beta scales it: it must be given");
}

}  // namespace

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
                   const Extents& shape, nb::object& out, const Extents& axes) {
  const bool is_given = !operands.out.is_none();
  const DType type = wish.out_dtype.value_or(usual_output_type(first.type));
  if (!is_given && is_stored_only(type))
    refuse(
        ErrorCode::wrong_type, wish.out_dtype ? "out_dtype" : "a", std::string(name(type)),
        "elements of this type are only converted: they must be read by jute.scaled_mm, or be its "
        "scales");
  out = is_given ? operands.out : new_array(operands.a, first, type, shape, axes);
  const Array array =
      writable_array_of(out, "out", is_given ? wish.out_dtype : std::optional(type));
  check_shape("out", array, shape);
  return array;
}

namespace {

void check_accumulation(const Wish& wish, const Problem& problem) {
  const auto is_small = [](DType type) { return type == DType::e4m3 || type == DType::e5m2; };
  if (!wish.fast_accum || (is_small(problem.a.type) && is_small(problem.b.type))) return;
  refuse(ErrorCode::wrong_type, "fast_accum",
         std::string(name(problem.a.type)) + " and " + std::string(name(problem.b.type)),
         "a and b must be of 8-bit floats: sums of all others are left to the tensor cores anyway",
         "False");
}

}  // namespace

void finish(Bound& bound, const Wish& wish, const Operands& operands) {
  Problem& problem = bound.problem;
  check_words(bound, wish, operands);
  check_accumulation(wish, problem);
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
  if (problem.m_range) say_rows(problem, bound.args, wish.like.get());
  bound.key = key_of(wish, problem);
  if (wish.numbers == ViewNumbers::run_time || problem.m_range)
    bound.kind = key_of(wish, kind_of(wish, problem));
  GemmArgs& args = bound.args;
  args.packed_a = operands.packed_a, args.packed_b = operands.packed_b;
  if (args.packed_a == 0) args.a = bound.a.address;
  if (args.packed_b == 0) args.b = bound.b.address;
  args.d = bound.d.address;
  args.c = bound.has_c ? bound.c.address : bound.d.address;
  for (const BoundArray& one : bound.arrays) address_in(args, one.role) = one.array.address;
  args.alpha = operands.alpha, args.beta = beta_of(problem, operands.beta);
  args.stream.handle = stream_of(operands.stream, bound.a);
}

}  // namespace jute::python
