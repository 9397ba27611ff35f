// Prepared products: their kernels are there, and what they are called with must lie as what they
// were made with.
#include <chrono>
#include <string_view>

#include "grouped.hpp"
#include "launch.hpp"
#include "module.hpp"
#include "repeated.hpp"
#include "scaled_operands.hpp"
#include "words.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

void check_lies(const char* name, const Array& array, const Array& wanted) {
  if (!lies_as(array, wanted))
    refuse_shape(name, array.extents(), "it must lie as what the product was prepared for",
                 wanted.extents());
}

/// A call's extents and strides, of arrays that lie in any way.
void say_numbers(Bound& bound) {
  const Problem& problem = bound.problem;
  const auto view_of_run = [](const Matrix& matrix) {
    return matrix.view ? &*matrix.view : nullptr;
  };
  GemmArgs& args = bound.args;
  args.m = problem.m, args.n = problem.n, args.k = problem.k, args.batch = problem.batch;
  args.view_a = view_of_run(problem.a), args.view_b = view_of_run(problem.b);
  args.view_c = bound.has_c ? view_of_run(problem.c) : nullptr;
  args.view_d = view_of_run(problem.d);
}

class PreparedCall {
 public:
  PreparedCall(Call& call, Reading reading) : wish_(std::move(call.wish)) {
    wish_.reading = reading;
    const Operands& operands = call.operands;
    const Bound bound = bind(wish_, operands);
    own_ = operands.expected;
    stage_as_ = operands.stage_as;
    side_a_ = own_words(operands.side_a), side_b_ = own_words(operands.side_b);
    if (wish_.m_range) wish_.like = std::make_shared<const Problem>(bound.problem);
    key_ = key_of(bound);
    a_ = bound.a, b_ = bound.b, numbers_ = bound.arrays;
    prepared_ = prepared_for(wish_, bound);
  }

  nb::object operator()(Call& call) {
    Operands& operands = call.operands;
    const bool is_made = operands.out.is_none();
    add_own(operands);
    std::optional<PlainCall> plain;
    if (const std::shared_ptr<const Repeated> last = last_; last && PlainCall::is_one(operands))
      if (nb::object result = run_again(*last, plain.emplace(operands, wish_.epilogue));
          result.is_valid())
        return result;
    Bound bound = bound_of(operands);
    check_gradients(bound, operands.a, operands.b);
    if (bound.problem.groups) clear_what_is_made(bound, is_made);
    run(bound, *prepared_, operands.a);
    if (may_repeat(wish_)) last_ = to_repeat(bound, operands, wish_.epilogue, prepared_);
    return result_of(bound);
  }

  /// The launch of a call like this one.
  Launch launch(Call& call) {
    add_own(call.operands);
    const Bound bound = bound_of(call.operands);
    Launch made{prepared_, bound.args};
    if (bound.problem.epilogue) {
      const auto& inputs = bound.problem.epilogue->expression.inputs;
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].name == "bias") made.bias = i;
    }
    return made;
  }

  Packed pack(Call& call) const {
    const TensorRole role = call.operand;
    const bool is_a = role == TensorRole::a;
    const nb::handle array = call.operands.a;
    Side side = is_a ? side_a_ : side_b_;
    const Array form = wish_.reading == Reading::scaled
                           ? read(side, array, kMostAxesOfOperand).bytes
                           : array_of(array, side.name, wish_.dtype);
    check_lies(side.name, form, is_a ? a_ : b_);
    if (needs_gradient(form, array)) refuse_gradients();
    std::vector<BoundArray> numbers;
    for (const BoundArray& wanted : numbers_) {
      const bool is_scale = wanted.name == std::string_view(side.scale_name);
      if (!is_scale && wanted.name != std::string_view(side.zero_name)) continue;
      const Side& given = call.operands.side_a;
      const nb::object& object = is_scale ? given.scale : given.zero;
      if (object.is_none())
        refuse(ErrorCode::wrong_arity, wanted.name, "None",
               "an operand must be packed with the numbers of its blocks");
      numbers.push_back({wanted.role, wanted.name, array_of(object, wanted.name)});
      check_lies(wanted.name, numbers.back().array, wanted.array);
    }
    return packed(role, array, form, prepared_, call.operands.stream, std::move(numbers));
  }

  /// Microseconds of host time that one run takes from C++, of so many that are queued.
  double time_runs(nb::handle a, nb::handle b, nb::object out, int count) {
    Operands operands{.a = a, .b = b, .out = std::move(out)};
    Bound bound = bind(wish_, operands);
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

  /// The first wrong entry of a run's list on the stream since this was last asked.
  std::optional<Index> group_fault(std::optional<std::uint64_t> stream) {
    if (a_.device == kHost) return std::nullopt;  // there the call itself refuses it
    const Stream on{stream ? *stream : current_stream(a_)};
    const std::optional<DevicePointer> workspace = kept_workspace(*prepared_, on);
    if (!workspace) return std::nullopt;
    const std::optional<Index> entry = prepared_->gemm.group_fault(*workspace, on);
    if (entry) prepared_->gemm.clear_workspace(*workspace, on);
    return entry;
  }

  [[nodiscard]] const Gemm& gemm() const { return prepared_->gemm; }

 private:
  static constexpr int kMostAxesOfOperand = 3;

  [[nodiscard]] Bound bound_of(const Operands& operands) const {
    Bound bound = bind(wish_, operands);
    if (says_numbers()) say_numbers(bound);
    if (key_of(bound) != key_ || bound.a.device != a_.device)
      refuse(ErrorCode::not_compatible, "operands", to_string(bound.problem),
             "they must lie as those that it was prepared for",
             to_string(prepared_->gemm.plan().problem));
    return bound;
  }

  [[nodiscard]] bool says_numbers() const { return wish_.numbers == ViewNumbers::run_time; }
  [[nodiscard]] std::string key_of(const Bound& bound) const {
    return bound.kind.empty() ? bound.key : bound.kind;
  }

  /// A zero point for all is the product's; arrays come with each call.
  static Side own_words(Side side) {
    side.scale = nb::none();
    if (!is_number(side.zero)) side.zero = nb::none();
    return side;
  }

  void add_own(Operands& operands) const {
    operands.expected = own_;
    operands.stage_as = stage_as_;
    for (const auto& [said, own] :
         {std::pair(&operands.side_a, &side_a_), std::pair(&operands.side_b, &side_b_)}) {
      said->block = own->block, said->type = own->type;
      if (said->zero.is_none()) said->zero = own->zero;
    }
    put_packed(operands, prepared_);
  }

  Wish wish_;
  Index own_ = 0;  ///< rows, columns or k that are expected
  Side side_a_{}, side_b_{};
  std::optional<DType> stage_as_{};
  std::string key_;
  Array a_, b_;  ///< as they lay
  std::vector<BoundArray> numbers_;
  std::shared_ptr<Prepared> prepared_;
  std::shared_ptr<const Repeated> last_;  ///< the call before, where the next may be like it
};

/// The same under the names that Python has.
template <Reading reading>
class Of : public PreparedCall {
 public:
  explicit Of(Call& call) : PreparedCall(call, reading) {}
};

/// The arguments of a method of words, and its work.
template <class Kind, class Run>
void def_words(nb::class_<Kind>& type, const char* name, const std::string& signature,
               const char* doc, Run run) {
  type.def(
      name,
      [takes = Takes(signature), run](Kind* self, const nb::args& given, const nb::kwargs& named) {
        Call call = takes.read(given, named);
        return run(self, call);
      },
      nb::sig(signature.c_str()), doc);
}

/// Its type, and the function `head` that makes one; `made` and `called` are the letters of its
/// words.
template <class Kind>
nb::class_<Kind> add_prepared(nb::module_& core, const char* name, const char* doc,
                              const char* head, char made, char called) {
  nb::class_<Kind> type(core, name, doc);
  add_called(core, head, made, name, [](Call& call) { return nb::cast(Kind(call)); });
  def_words(type, "__init__", signature_of("def __init__(self, a: Any, b: Any", made, "None"), "",
            [](Kind* self, Call& call) { new (self) Kind(call); });
  def_words(type, "__call__", signature_of("def __call__(self, a: Any, b: Any", called, "Any"), "",
            [](Kind* self, Call& call) { return (*self)(call); });
  def_words(type, "launch", signature_of("def launch(self, a: Any, b: Any", called, "Launch"),
            "The launch of such a call, for torch's operators",
            [](Kind* self, Call& call) { return self->launch(call); });
  type.def_prop_ro("plan", [](const Kind& self) { return self.gemm().plan(); })
      .def_prop_ro("workspace_bytes",
                   [](const Kind& self) { return self.gemm().workspace_bytes(); });
  return type;
}

template <class Kind>
void add_packing(nb::class_<Kind>& type, const std::string& words, const char* doc) {
  def_words(type, "pack",
            "def pack(self, operand: str, array: Any" + words + ", stream: Any = None) -> Packed",
            doc, [](const Kind* self, Call& call) { return self->pack(call); });
  type.def(
      "packed_bytes",
      [](const Kind& self, const std::string& operand) {
        return self.gemm().packed_bytes(
            chosen<TensorRole>("operand", operand, {{"a", TensorRole::a}, {"b", TensorRole::b}}));
      },
      "operand"_a, "Of memory that pack() takes; 0: the operand is read as it lies");
}

void add_product(nb::module_& core) {
  using Product = Of<Reading::plain>;
  auto type =
      add_prepared<Product>(core, "Product", "A prepared product: kernels are compiled and loaded",
                            "prepare(a: Any, b: Any, *", 'P', 'p');
  add_packing(
      type, "",
      "\"a\" or \"b\" as kernels read it, once its rows are padded or it is transposed: an object "
      "that calls take in its place and that skips the copy in each. What changes is packed anew.\n"
      "Raises jute.Error: illegal_problem, of an operand that is read as it lies");
  type.def(
      "time_runs",
      [](Product& self, nb::handle a, nb::handle b, nb::object out, int count) {
        return self.time_runs(a, b, std::move(out), count);
      },
      "a"_a, "b"_a, "out"_a, "count"_a,
      "Microseconds of host time of one run from C++, of `count` that are queued; on a GPU");
}

void add_grouped_product(nb::module_& core) {
  using GroupedProduct = Of<Reading::groups>;
  add_prepared<GroupedProduct>(core, "GroupedProduct",
                               "A prepared product of groups: its kernel is compiled and loaded",
                               "prepare_groups(a: Any, b: Any, offs: Any = None, *", 'G', 'g')
      .def(
          "group_fault",
          [](GroupedProduct& self, std::optional<std::uint64_t> stream) {
            return self.group_fault(stream);
          },
          "stream"_a = nb::none(),
          "The first wrong entry of a list on the stream since this was asked, or None; waits");
}

void add_scaled_product(nb::module_& core) {
  using ScaledProduct = Of<Reading::scaled>;
  auto type = add_prepared<ScaledProduct>(
      core, "ScaledProduct", "A prepared product of scaled operands: see prepare_scaled",
      "prepare_scaled(a: Any, b: Any, *", 'S', 's');
  add_packing(
      type, ", scale: Any = None, zero: Any = None",
      "\"a\" or \"b\" as what it is multiplied as, with the numbers of its blocks: an object "
      "that calls take in its place, without scales, and that skips the conversion in each.\n"
      "Raises jute.Error: illegal_problem, of an operand that is read as it is stored");
}

}  // namespace

void add_prepared_products(nb::module_& core) {
  add_packed(core);
  add_product(core);
  add_grouped_product(core);
  add_scaled_product(core);
}

}  // namespace jute::python
