// Products as Python calls them.
#include <nanobind/stl/pair.h>

#include <chrono>

#include "calls.hpp"
#include "integer_lists.hpp"
#include "module.hpp"
#include "packed.hpp"
#include "refusing.hpp"
#include "repeated.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

ViewNumbers numbers_of(const std::string& text) {
  if (text == "literal") return ViewNumbers::literal;
  if (text == "run-time") return ViewNumbers::run_time;
  refuse(ErrorCode::unknown_name, "numbers", text, "it must be literal or run-time", "run-time");
}

const View* view_of_run(const Matrix& matrix) { return matrix.view ? &*matrix.view : nullptr; }

/// What a run says of extents and strides, of arrays that lie in any way.
void say_numbers(Bound& bound) {
  const Problem& problem = bound.problem;
  GemmArgs& args = bound.args;
  args.m = problem.m, args.n = problem.n, args.k = problem.k, args.batch = problem.batch;
  args.view_a = view_of_run(problem.a), args.view_b = view_of_run(problem.b);
  args.view_c = bound.has_c ? view_of_run(problem.c) : nullptr;
  args.view_d = view_of_run(problem.d);
}

}  // namespace

Wish wish_of(const WishWords& words) {
  Wish wish{.epilogue = words.epilogue, .config = words.config};
  if (words.precision != "f32") wish.precision = parse_precision(words.precision);
  wish.gate = parse_gate_columns(words.gate);
  wish.numbers = numbers_of(words.numbers);
  wish.dtype = dtype_or_none(words.dtype);
  wish.out_dtype = dtype_or_none(words.out_dtype);
  if (!words.m_range.is_none()) {
    const auto [first, last] = to_pair(words.m_range, "m_range");
    wish.m_range = MRange{first, last};
  }
  return wish;
}

nb::dict dict_or_empty(const nb::object& object) {
  if (object.is_none()) return {};
  if (PyDict_Check(object.ptr())) return nb::borrow<nb::dict>(object);
  return nb::cast<nb::dict>(nb::module_::import_("builtins").attr("dict")(object));
}

void refuse_gradients() {
  if (!nb::cast<bool>(nb::module_::import_("torch").attr("is_grad_enabled")())) return;
  refuse(ErrorCode::unsupported, "an operand", "requires_grad",
         "it must be called where no gradient is recorded: jute.torch.matmul has them");
}

void check_gradients(const Bound& bound, nb::handle a, nb::handle b) {
  if (needs_gradient(bound.a, a) || needs_gradient(bound.b, b)) refuse_gradients();
}

namespace {

nb::object multiply(nb::handle a, nb::handle b, nb::object out, nb::object c, double alpha,
                    double beta, nb::object inputs, nb::object outputs, nb::object stream,
                    const std::string& epilogue, const std::string& gate,
                    const std::string& precision, const std::string& config, nb::object dtype,
                    nb::object out_dtype, nb::object rows_a, nb::object rows_d,
                    const std::string& store) {
  const Wish wish = wish_of(
      {epilogue, precision, config, std::move(dtype), std::move(out_dtype), nb::none(), gate});
  Operands operands{a,
                    b,
                    std::move(out),
                    std::move(c),
                    std::move(stream),
                    dict_or_empty(inputs),
                    dict_or_empty(outputs),
                    alpha,
                    beta,
                    std::move(rows_a),
                    std::move(rows_d),
                    row_store_of(store)};
  const bool is_usual =
      may_repeat(wish) && precision == "f32" && config.empty() && wish.gate == GateColumns::halves;
  static auto* usual = new RepeatedCalls;  // never destroyed: at exit the driver may be gone
  std::optional<PlainCall> call;
  if (is_usual && PlainCall::is_one(operands))
    if (nb::object result = usual->run_again(call.emplace(operands, epilogue)); result.is_valid())
      return result;
  Bound bound = bind(wish, operands);
  check_gradients(bound, a, b);
  const std::shared_ptr<Prepared> prepared = prepared_for(wish, bound);
  run(bound, *prepared, a);
  if (is_usual) usual->remember(to_repeat(bound, operands, epilogue, prepared));
  return result_of(bound);
}

/// A product whose kernels are there: what it is called with must lie as what it was made with.
class Product {
 public:
  Product(Wish wish, const Operands& operands) : wish_(std::move(wish)) {
    const Bound bound = bind(wish_, operands);
    key_ = says_numbers() ? bound.kind : bound.key;
    a_ = bound.a, b_ = bound.b;
    prepared_ = prepared_for(wish_, bound);
  }

  nb::object operator()(nb::handle a, nb::handle b, nb::object out, nb::object c, nb::handle alpha,
                        nb::handle beta, nb::object inputs, nb::object outputs, nb::object stream) {
    Operands operands{a,
                      b,
                      std::move(out),
                      std::move(c),
                      std::move(stream),
                      dict_or_empty(inputs),
                      dict_or_empty(outputs),
                      to_number(alpha, "alpha"),
                      to_number(beta, "beta")};
    put_packed(operands, prepared_);
    std::optional<PlainCall> call;
    if (const std::shared_ptr<const Repeated> last = last_; last && PlainCall::is_one(operands))
      if (nb::object result = run_again(*last, call.emplace(operands, wish_.epilogue));
          result.is_valid())
        return result;
    Bound bound = bind(wish_, operands);
    if (says_numbers()) say_numbers(bound);
    if ((says_numbers() ? bound.kind : bound.key) != key_ || bound.a.device != a_.device)
      refuse(ErrorCode::not_compatible, "operands", to_string(bound.problem),
             "they must lie as those that it was prepared for",
             to_string(prepared_->gemm.plan().problem));
    check_gradients(bound, operands.a, operands.b);
    run(bound, *prepared_, operands.a);
    if (may_repeat(wish_)) last_ = to_repeat(bound, operands, wish_.epilogue, prepared_);
    return result_of(bound);
  }

  [[nodiscard]] Index packed_bytes(const std::string& operand) const {
    return prepared_->gemm.packed_bytes(packed_role(operand));
  }

  Packed pack(const std::string& operand, nb::handle array, const nb::object& stream) const {
    const TensorRole role = packed_role(operand);
    const Array form = array_of(array, operand.c_str(), wish_.dtype);
    const Array& wanted = role == TensorRole::a ? a_ : b_;
    if (!lies_as(form, wanted))
      refuse_shape(operand.c_str(), form.extents(),
                   "it must lie as what the product was prepared for", wanted.extents());
    if (needs_gradient(form, array)) refuse_gradients();
    return packed(role, array, form, prepared_, stream);
  }

  /// Microseconds of host time that one run takes from C++, of so many that are queued.
  double time_runs(nb::handle a, nb::handle b, nb::object out, int count) {
    Bound bound =
        bind(wish_, {a, b, std::move(out), nb::none(), nb::none(), nb::dict(), nb::dict()});
    if (a_.device == kHost)
      refuse(ErrorCode::no_gpu, "a", "host memory", "runs must be queued on a GPU to be timed");
    if (says_numbers()) say_numbers(bound);
    run(bound, *prepared_, a);
    const auto begun = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) prepared_->gemm.run(bound.args);
    const std::chrono::duration<double, std::micro> spent =
        std::chrono::steady_clock::now() - begun;
    return spent.count() / count;
  }

  [[nodiscard]] const Gemm& gemm() const { return prepared_->gemm; }

 private:
  [[nodiscard]] bool says_numbers() const { return wish_.numbers == ViewNumbers::run_time; }

  Wish wish_;
  std::string key_;
  Array a_, b_;  ///< as they lay
  std::shared_ptr<Prepared> prepared_;
  std::shared_ptr<const Repeated> last_;  ///< the call before, where the next may be like it
};

void add_product(nb::module_& core) {
  nb::class_<Product> type(core, "Product", "A prepared product: kernels are compiled and loaded");
  def_refusing(
      type, "__init__",
      [](Product* self, nb::handle a, nb::handle b, nb::object out, nb::object c, nb::handle alpha,
         nb::handle beta, nb::object inputs, nb::object outputs, const std::string& epilogue,
         const std::string& gate, const std::string& precision, const std::string& config,
         nb::object dtype, nb::object out_dtype, nb::object m_range, const std::string& numbers) {
        new (self)
            Product(wish_of({epilogue, precision, config, std::move(dtype), std::move(out_dtype),
                             std::move(m_range), gate, numbers}),
                    {a, b, std::move(out), std::move(c), nb::none(), dict_or_empty(inputs),
                     dict_or_empty(outputs), to_number(alpha, "alpha"), to_number(beta, "beta")});
      },
      "a"_a, "b"_a, "out"_a = nb::none(), "c"_a = nb::none(), "alpha"_a = 1.0, "beta"_a = 1.0,
      "inputs"_a = nb::none(), "outputs"_a = nb::none(), "epilogue"_a = "", "gate"_a = "halves",
      "precision"_a = "f32", "config"_a = "", "dtype"_a = nb::none(), "out_dtype"_a = nb::none(),
      "m_range"_a = nb::none(), "numbers"_a = "literal");
  def_refusing(type, "__call__", &Product::operator(), "a"_a, "b"_a, "out"_a = nb::none(),
               "c"_a = nb::none(), "alpha"_a = 1.0, "beta"_a = 1.0, "inputs"_a = nb::none(),
               "outputs"_a = nb::none(), "stream"_a = nb::none());
  def_refusing(
      type, "pack", &Product::pack, "operand"_a, "array"_a, "stream"_a = nb::none(),
      "\"a\" or \"b\" as kernels read it, once its rows are padded or it is transposed: an "
      "object "
      "that calls take in its place and that skips the copy in each. What changes is packed "
      "anew.\n"
      "Raises jute.Error: illegal_problem, of an operand that is read as it lies");
  type.def("packed_bytes", &Product::packed_bytes, "operand"_a,
           "Of memory that pack() takes; 0: the operand is read as it lies")
      .def("time_runs", &Product::time_runs, "a"_a, "b"_a, "out"_a, "count"_a,
           "Microseconds of host time of one run from C++, of `count` that are queued; on a GPU")
      .def_prop_ro("plan", [](const Product& self) { return self.gemm().plan(); })
      .def_prop_ro("workspace_bytes",
                   [](const Product& self) { return self.gemm().workspace_bytes(); });
}

}  // namespace

void add_products(nb::module_& core) {
  add_packed(core);
  add_product(core);
  core.def("multiply", multiply, "a"_a, "b"_a, "out"_a.none(), "c"_a.none(), "alpha"_a, "beta"_a,
           "inputs"_a.none(), "outputs"_a.none(), "stream"_a.none(), "epilogue"_a, "gate"_a,
           "precision"_a, "config"_a, "dtype"_a.none(), "out_dtype"_a.none(), "rows_a"_a.none(),
           "rows_d"_a.none(), "store"_a);
  core.def("plan_for", plan_for, "chip"_a);
  core.def("traffic", [] {
    nb::dict all;
    all["products"] = traffic().products;
    all["bytes_in"] = traffic().bytes_in;
    all["bytes_out"] = traffic().bytes_out;
    return all;
  });
}

}  // namespace jute::python
