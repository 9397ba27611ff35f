// Contractions: einsum's letters over any number of arrays, as products of two.
#include <unordered_map>

#include "module.hpp"
#include "run.hpp"
#include "words.hpp"

namespace jute::python {

namespace {

/// An operand, or the result of an earlier product.
struct Held {
  nb::object object;
  Array array;
};

StridedArray strided(const Array& array) {
  return {{array.extents().begin(), array.extents().end()},
          {array.strides().begin(), array.strides().end()}};
}

/// One product of the chain: which arrays it takes, and what it is to the planner.
struct Link {
  std::size_t a = 0, b = 0;
  Problem problem;
};

/// Values that calls ask for again and again, made once for each key.
template <class Value>
class Known {
 public:
  template <class Make>
  std::shared_ptr<const Value> get(const std::string& key, Make make) {
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    auto made = std::make_shared<const Value>(make());
    if (known_.size() >= kMost) known_.clear();
    return known_.emplace(key, std::move(made)).first->second;
  }

 private:
  static constexpr std::size_t kMost = 4096;
  std::unordered_map<std::string, std::shared_ptr<const Value>> known_;
};

std::vector<ContractionStep> steps_of(const std::string& text, const std::vector<Held>& operands) {
  const Subscripts subscripts = parse_subscripts(text);
  if (subscripts.operands.size() != operands.size())
    refuse(ErrorCode::wrong_arity, "operands", std::to_string(operands.size()),
           "there must be an array for each of the operands of " + to_string(subscripts),
           std::to_string(subscripts.operands.size()));
  std::vector<StridedArray> arrays;
  for (const Held& operand : operands) arrays.push_back(strided(operand.array));
  return contraction_order(subscripts, arrays);
}

/// The type of a product between two others: it is multiplied again.
DType inner_type(const Wish& wish, const std::vector<const Held*>& operands) {
  Problem product;
  product.a.type = operands.front()->array.type;
  product.b.type = operands.back()->array.type;
  product.precision = wish.precision;
  return type_between(product);
}

Problem like_problem(const Wish& wish, const std::vector<const Held*>& operands, const Array& d) {
  Bound bound;
  bound.a = operands.front()->array, bound.b = operands.back()->array, bound.d = d;
  Problem like = like_problem_of(wish, bound);
  like.alpha = Factor::one;
  like.beta = Factor::zero;
  return like;
}

Link link_of(const Wish& wish, const ContractionStep& step,
             const std::vector<const Held*>& operands, const Array& d) {
  std::vector<StridedArray> arrays;
  for (const Held* operand : operands) arrays.push_back(strided(operand->array));
  Contraction made = contraction(step.subscripts, arrays, like_problem(wish, operands, d),
                                 std::vector<Index>(d.strides().begin(), d.strides().end()));
  return {made.modes.a, made.modes.b, std::move(made.problem)};
}

/// One product. Behind the last operand stands a 1, with which a lone one is multiplied.
void multiply_link(const Wish& wish, const Operands& words, const ContractionStep& step,
                   std::vector<const Held*> operands, Held& d) {
  static auto* known = new Known<Link>;
  std::string key = to_string(step.subscripts);
  for (const Held* operand : operands) add_array(key, operand->array);
  add_array(key, d.array);
  add_to(key, wish.precision);
  const auto link = known->get(key, [&] { return link_of(wish, step, operands, d.array); });
  Held one;
  if (operands.size() == 1) {
    one.object = new_one(operands[0]->object, operands[0]->array);
    one.array = array_of(one.object, "a one", operands[0]->array.type);
    operands.push_back(&one);
  }
  Bound bound;
  bound.problem = link->problem;
  bound.a = operands[link->a]->array;
  bound.b = operands[link->b]->array;
  bound.d = d.array;
  bound.out = d.object;
  finish(bound, wish, words);
  run(bound, *prepared_for(wish, bound), operands[0]->object);
}

/// Subscripts and operands; numpy's other form, which has lists of indices behind arrays, is made
/// into one.
nb::tuple text_and_operands(const nb::args& given) {
  if (given.size() > 0 && !PyUnicode_Check(given[0].ptr()))
    return nb::tuple(nb::module_::import_("jute._products").attr("from_lists")(given));
  if (given.size() < 2)
    refuse(ErrorCode::wrong_arity, "operands", "0",
           "there must be an array for each operand of the text", "1");
  return given;
}

/// How the axes of a result lie that nobody gave: as its letters say, or where that is faster.
enum class ResultOrder : std::uint8_t { letters, fastest };

nb::object contract(Call& call) {
  const Wish& wish = call.wish;
  const ResultOrder order =
      call.order.empty()
          ? ResultOrder::fastest
          : chosen<ResultOrder>("order", call.order,
                                {{"K", ResultOrder::fastest}, {"C", ResultOrder::letters}});
  const nb::tuple given = text_and_operands(call.places);
  const auto text = nb::cast<std::string>(given[0]);
  std::vector<Held> held;
  std::string key = text + '\0';
  for (std::size_t i = 1; i < given.size(); ++i) {
    const std::string name = "operand " + std::to_string(i);
    nb::object operand = given[i];
    if (is_number(operand) && nb::hasattr(operand, "dtype"))  // numpy's of an operand without axes
      operand = nb::module_::import_("numpy").attr("asarray")(operand);
    const Array array = array_of(operand, name.c_str(), wish.dtype);
    held.push_back({std::move(operand), array});
    if (needs_gradient(array, held.back().object)) refuse_gradients();
    add_array(key, held.back().array);
  }
  static auto* known = new Known<std::vector<ContractionStep>>;
  const auto steps = known->get(key, [&] { return steps_of(text, held); });
  Operands& words = call.operands;
  words.a = words.b = held[0].object;
  for (const ContractionStep& step : *steps) {
    const bool is_last = &step == &steps->back();
    std::vector<const Held*> operands;
    for (const std::size_t operand : step.operands) operands.push_back(&held[operand]);
    const Extents shape{std::span<const Index>(step.extents)};
    Held d;
    if (is_last) {
      Extents axes;
      if (order == ResultOrder::fastest)
        for (const int axis :
             result_axes(step.subscripts, step.extents, width_bytes(held[0].array.type)))
          axes.push_back(axis);
      d.array = output_array(wish, words, held[0].array, shape, d.object, axes);
    } else {
      const DType type = inner_type(wish, operands);
      d.object = new_array(held[0].object, held[0].array, type, shape);
      d.array = array_of(d.object, "a product", type);
    }
    multiply_link(wish, words, step, std::move(operands), d);
    held.push_back(std::move(d));
  }
  return held.back().object;
}

}  // namespace

void add_contractions(nb::module_& core) {
  add_called(core, "einsum(subscripts: Any, *operands: Any, out: Any = None, order: str = 'K'", 'e',
             "Any", contract);
}

}  // namespace jute::python
