// Prepared products of scaled operands, of which one that stays is packed with its scales.
#include <string_view>

#include "module.hpp"
#include "refusing.hpp"
#include "repeated.hpp"
#include "scaled_operands.hpp"

namespace jute::python {

using namespace nanobind::literals;

namespace {

/// What a call gives of one operand.
struct Given {
  nb::handle array;
  nb::object scale, zero;
};
struct Call {
  Given a, b;
  GroupWords groups;
  nb::object out, c, inputs, outputs, stream;
  double alpha = 1, beta = 1;
};

const Packed* packed_in(nb::handle array) {
  const Packed* packed = nullptr;
  return nb::try_cast(array, packed) ? packed : nullptr;
}

/// An array of the operand's library.
nb::handle like_of(nb::handle array) {
  const Packed* const packed = packed_in(array);
  return packed != nullptr ? nb::handle(packed->like) : array;
}

/// The product's own words of an operand, and the call's arrays.
Side side_of(const Side& words, const Given& given) {
  Side side = words;
  side.array = given.array;
  side.packed = packed_in(given.array);
  if (!given.scale.is_none()) side.scale = given.scale;
  if (!given.zero.is_none()) side.zero = given.zero;
  return side;
}

void check_lies(const char* name, const Array& array, const Array& wanted) {
  if (!lies_as(array, wanted))
    refuse_shape(name, array.extents(), "it must lie as what the product was prepared for",
                 wanted.extents());
}

/// A product whose kernels are there: what it is called with must lie as what it was made with.
class ScaledProduct {
 public:
  ScaledProduct(Wish wish, const Side& of_a, const Side& of_b, nb::object stage_as,
                const Call& call)
      : wish_(std::move(wish)),
        of_a_(of_a),
        of_b_(of_b),
        stage_as_(std::move(stage_as)),
        expected_(call.groups.expected) {
    // A zero point for all is the product's; arrays come with each call.
    for (Side* const side : {&of_a_, &of_b_}) {
      side->array = {}, side->scale = nb::none();
      if (!is_number(side->zero)) side->zero = nb::none();
    }
    const Bound bound = bound_of(call);
    key_ = bound.key;
    a_ = bound.a, b_ = bound.b, numbers_ = bound.numbers;
    prepared_ = prepared_for(wish_, bound);
  }

  nb::object operator()(const Call& call) {
    const bool is_made = call.out.is_none();
    Bound bound = bound_of(call);
    if (bound.key != key_ || bound.a.device != a_.device)
      refuse(ErrorCode::not_compatible, "operands", to_string(bound.problem),
             "they must lie as those that it was prepared for",
             to_string(prepared_->gemm.plan().problem));
    check_gradients(bound, like_of(call.a.array), like_of(call.b.array));
    if (bound.problem.groups) clear_what_is_made(bound, is_made);
    run(bound, *prepared_, like_of(call.a.array));
    return result_of(bound);
  }

  [[nodiscard]] Index packed_bytes(const std::string& operand) const {
    return prepared_->gemm.packed_bytes(packed_role(operand));
  }

  Packed pack(const std::string& operand, nb::handle array, const nb::object& scale,
              const nb::object& zero, const nb::object& stream) const {
    const TensorRole role = packed_role(operand);
    const bool is_a = role == TensorRole::a;
    Side side = is_a ? of_a_ : of_b_;
    side.array = array;
    const Array form = read(side, kMostAxesOfOperand).bytes;
    check_lies(side.name, form, is_a ? a_ : b_);
    std::vector<BlockNumbers> numbers;
    for (const BlockNumbers& wanted : numbers_) {
      const bool is_scale = wanted.name == std::string_view(side.scale_name);
      if (!is_scale && wanted.name != std::string_view(side.zero_name)) continue;
      const nb::object& given = is_scale ? scale : zero;
      if (given.is_none())
        refuse(ErrorCode::wrong_arity, wanted.name, "None",
               "an operand must be packed with the numbers of its blocks");
      numbers.push_back({wanted.role, wanted.name, array_of(given, wanted.name)});
      check_lies(wanted.name, numbers.back().array, wanted.array);
    }
    return packed(role, array, form, prepared_, stream, std::move(numbers));
  }

  [[nodiscard]] const Gemm& gemm() const { return prepared_->gemm; }

 private:
  static constexpr int kMostAxesOfOperand = 3;

  Bound bound_of(const Call& call) {
    Side of_a = side_of(of_a_, call.a), of_b = side_of(of_b_, call.b);
    Operands operands{.a = call.a.array,
                      .b = call.b.array,
                      .out = call.out,
                      .c = call.c,
                      .stream = call.stream,
                      .inputs = dict_or_empty(call.inputs),
                      .outputs = dict_or_empty(call.outputs),
                      .alpha = call.alpha,
                      .beta = call.beta};
    put_packed(operands, prepared_);
    return bind_scaled(wish_, operands, of_a, of_b, stage_as_, {call.groups.lists, expected_});
  }

  Wish wish_;
  Side of_a_, of_b_;
  nb::object stage_as_;
  Index expected_;
  std::string key_;
  Array a_, b_;  ///< as they lay
  std::vector<BlockNumbers> numbers_;
  std::shared_ptr<Prepared> prepared_;
};

ScaledProduct prepared_product(nb::handle a, nb::handle b, nb::object scale_a, nb::object scale_b,
                               nb::object zero_a, nb::object zero_b, const std::string& block_a,
                               const std::string& block_b, nb::object type_a, nb::object type_b,
                               nb::object stage_as, nb::object out, nb::object c, double alpha,
                               double beta, nb::object inputs, nb::object outputs,
                               const std::string& epilogue, const std::string& config,
                               nb::object out_dtype, nb::object offs, nb::object counts,
                               nb::object row_groups, Index expected, nb::object m_range) {
  Wish wish =
      wish_of({epilogue, "f32", config, nb::none(), std::move(out_dtype), std::move(m_range)});
  const Side of_a{"a", "scale_a", "zero_a", TensorRole::a, a, scale_a, zero_a, block_a, type_a},
      of_b{"b", "scale_b", "zero_b", TensorRole::b, b, scale_b, zero_b, block_b, type_b};
  const Call call{{a, scale_a, zero_a},
                  {b, scale_b, zero_b},
                  {{std::move(offs), std::move(counts), std::move(row_groups)}, expected},
                  std::move(out),
                  std::move(c),
                  std::move(inputs),
                  std::move(outputs),
                  nb::none(),
                  alpha,
                  beta};
  return {std::move(wish), of_a, of_b, std::move(stage_as), call};
}

nb::object call_product(ScaledProduct& self, nb::handle a, nb::handle b, nb::object scale_a,
                        nb::object scale_b, nb::object zero_a, nb::object zero_b, nb::object offs,
                        nb::object counts, nb::object row_groups, nb::object out, nb::object c,
                        nb::handle alpha, nb::handle beta, nb::object inputs, nb::object outputs,
                        nb::object stream) {
  return self({{a, std::move(scale_a), std::move(zero_a)},
               {b, std::move(scale_b), std::move(zero_b)},
               {{std::move(offs), std::move(counts), std::move(row_groups)}, 0},
               std::move(out),
               std::move(c),
               std::move(inputs),
               std::move(outputs),
               std::move(stream),
               to_number(alpha, "alpha"),
               to_number(beta, "beta")});
}

}  // namespace

void add_scaled_product(nb::module_& core) {
  nb::class_<ScaledProduct> type(core, "ScaledProduct",
                                 "A prepared product of scaled operands: see prepare_scaled");
  def_refusing(type, "__call__", call_product, "a"_a, "b"_a, "scale_a"_a = nb::none(),
               "scale_b"_a = nb::none(), "zero_a"_a = nb::none(), "zero_b"_a = nb::none(),
               "offs"_a = nb::none(), "counts"_a = nb::none(), "row_groups"_a = nb::none(),
               "out"_a = nb::none(), "c"_a = nb::none(), "alpha"_a = 1.0, "beta"_a = 1.0,
               "inputs"_a = nb::none(), "outputs"_a = nb::none(), "stream"_a = nb::none());
  def_refusing(
      type, "pack", &ScaledProduct::pack, "operand"_a, "array"_a, "scale"_a = nb::none(),
      "zero"_a = nb::none(), "stream"_a = nb::none(),
      "\"a\" or \"b\" as what it is multiplied as, with the numbers of its blocks: an object "
      "that calls take in its place, without scales, and that skips the conversion in each.\n"
      "Raises jute.Error: illegal_problem, of an operand that is read as it is stored");
  type.def("packed_bytes", &ScaledProduct::packed_bytes, "operand"_a,
           "Of memory that pack() takes; 0: the operand is read as it is stored")
      .def_prop_ro("plan", [](const ScaledProduct& self) { return self.gemm().plan(); })
      .def_prop_ro("workspace_bytes",
                   [](const ScaledProduct& self) { return self.gemm().workspace_bytes(); });
  core.def("prepare_scaled", prepared_product, "a"_a, "b"_a, "scale_a"_a.none(), "scale_b"_a.none(),
           "zero_a"_a.none(), "zero_b"_a.none(), "block_a"_a, "block_b"_a, "type_a"_a.none(),
           "type_b"_a.none(), "stage_as"_a.none(), "out"_a.none(), "c"_a.none(), "alpha"_a,
           "beta"_a, "inputs"_a.none(), "outputs"_a.none(), "epilogue"_a, "config"_a,
           "out_dtype"_a.none(), "offs"_a.none(), "counts"_a.none(), "row_groups"_a.none(),
           "expected"_a, "m_range"_a.none());
}

}  // namespace jute::python
