// Grows epilogues from seeds.
#include <algorithm>

#include "support/chance.hpp"
#include "support/random_epilogue.hpp"

namespace jute::test {
namespace {

class Grower {
 public:
  Grower(std::uint64_t seed, const EpilogueGrowth& growth) : draw_(seed), growth_(growth) {}

  PlainEpilogue grown() {
    for (Index i = draw_.below(3); i > 0; --i) {
      const int node = number(2);
      if (is_leaf(node)) continue;
      result_.locals.push_back({"y" + std::to_string(i), node});
    }
    output("d", "", number(3), growth_.out);
    if (!result_.names("acc")) {
      const int whole = result_.outputs[0].node;
      result_.outputs[0].node = apply("+", {whole, push({.op = "acc"})});
    }
    for (Index i = draw_.below(4); i > 0; --i) more_output("o" + std::to_string(i));
    drop_unused_locals();
    return std::move(result_);
  }

 private:
  int push(PlainNode node) {
    result_.nodes.push_back(std::move(node));
    return static_cast<int>(result_.nodes.size()) - 1;
  }
  int apply(const std::string& op, std::vector<int> kids) {
    return push({.op = op, .kids = std::move(kids)});
  }
  [[nodiscard]] bool is_leaf(int node) const {
    return result_.nodes[static_cast<std::size_t>(node)].kids.empty();
  }
  void output(const std::string& name, const std::string& gather, int node, DType type) {
    result_.outputs.push_back({name, gather, node, type});
  }

  DType stored_type() {
    if (growth_.whole && !draw_.one_in(5))
      return draw_.from<DType>({DType::s8, DType::u8, DType::s32});
    if (growth_.has_small_floats && draw_.one_in(6))
      return draw_.from<DType>({DType::e4m3, DType::e5m2});
    return draw_.from<DType>(
        {DType::f32, DType::f32, DType::f16, DType::bf16, DType::s8, DType::s32});
  }

  void more_output(const std::string& name) {
    const Index kind = draw_.below(7);
    const DType wide = growth_.accumulate == DType::f64 ? DType::f64 : DType::f32;
    if (kind == 0) {
      output(name, "", of_sums(draw_.one_in(2) ? "a_sum" : "b_sum"),
             draw_.one_in(3) ? DType::f16 : wide);
    } else if (kind == 1) {
      output(name, "bit", truth(2), DType::u8);
    } else if (kind == 2 || kind == 3) {
      output(name, "", number(2), stored_type());
    } else {
      output(name, draw_.from<std::string>({"amax", "sum", "row_sum", "col_sum"}), number(2), wide);
    }
  }

  /// One value for each sum of an operand.
  int of_sums(const std::string& sum) {
    int node = push({.op = sum});
    if (draw_.one_in(2)) node = apply("*", {node, scalar()});
    if (draw_.one_in(2)) node = apply("+", {node, scalar()});
    if (draw_.one_in(3)) node = apply("max()", {node, scalar()});
    return node;
  }
  int scalar() {
    if (draw_.one_in(3)) return push({.op = draw_.one_in(2) ? "alpha" : "beta"});
    return draw_.one_in(2) ? literal() : input(draw_.one_in(2) ? "" : "batch");
  }

  int literal() {
    PlainNode node{.op = "1"};
    node.number = growth_.whole && !draw_.one_in(6)
                      ? draw_.from<double>({0, 1, 2, 3, 10})
                      : draw_.from<double>({0, 1, 2, 0.5, 0.25, 1.5, 0.125, 3, 10});
    const int place = push(node);
    return draw_.one_in(4) ? apply("neg", {place}) : place;
  }

  int input(const std::string& index, bool is_bits = false) {
    for (std::size_t i = 0; i < result_.inputs.size(); ++i)
      if (result_.inputs[i].index == index && result_.inputs[i].is_bits == is_bits &&
          !draw_.one_in(3))
        return push({.op = "x", .input = static_cast<int>(i)});
    constexpr std::size_t kMost = 6;
    if (result_.inputs.size() >= kMost && !is_bits) return push({.op = "acc"});
    PlainInput one{.name = (is_bits ? "k" : "i") + std::to_string(result_.inputs.size()),
                   .index = index};
    one.is_bits = is_bits;
    one.type = is_bits ? DType::u8 : stored_type();
    one.by_value = index.empty() && !is_bits && draw_.one_in(2);
    if (one.by_value) one.type = growth_.whole ? DType::s32 : DType::f32;
    result_.inputs.push_back(one);
    return push({.op = "x", .input = static_cast<int>(result_.inputs.size()) - 1});
  }

  int leaf() {
    const Index kind = draw_.below(20);
    if (kind < 2 && !result_.locals.empty()) return draw_.from(result_.locals).node;
    if (kind < 7) return push({.op = "acc"});
    if (kind < 9) return push({.op = draw_.one_in(2) ? "alpha" : "beta"});
    if (kind < 11) return push({.op = "c"});
    if (kind < 13) {
      const int beta = push({.op = "beta"}), c = push({.op = "c"});
      return draw_.one_in(2) ? apply("*", {beta, c}) : apply("*", {c, beta});
    }
    if (kind < 15) return literal();
    if (kind == 15) return push({.op = draw_.one_in(2) ? "a_sum" : "b_sum"});
    return input(
        draw_.from<std::string>({"", "batch", "m", "n", "m,n", "m,n", "batch,m", "batch,n"}));
  }

  int truth(int depth) {
    if (depth > 0 && draw_.one_in(4)) return apply("not", {truth(depth - 1)});
    if (depth > 0 && draw_.one_in(3))
      return apply(draw_.one_in(2) ? "and" : "or", {truth(depth - 1), truth(depth - 1)});
    if (draw_.one_in(4)) return input("m,n", true);
    const auto op = draw_.from<std::string>({"<", "<=", ">", ">=", "==", "!="});
    return apply(op, {number(depth), number(depth)});
  }

  /// 1 + |x|
  int at_least_one(int depth) {
    return apply("+", {push({.op = "1", .number = 1}), apply("abs()", {number(depth)})});
  }

  int number(int depth) {
    if (depth == 0 || draw_.one_in(8)) return leaf();
    const auto next = [&] { return number(depth - 1); };
    switch (draw_.below(growth_.whole && !draw_.one_in(6) ? 9 : 15)) {
      case 0:
      case 1:
        return apply(draw_.one_in(2) ? "+" : "-", {next(), next()});
      case 2:
        return apply("*", {next(), leaf()});
      case 3: {
        const int product = apply("*", {leaf(), next()});
        return draw_.one_in(2) ? apply("+", {product, next()}) : apply("-", {next(), product});
      }
      case 4:
        if (draw_.one_in(4)) return apply("square()", {next()});
        return apply(draw_.one_in(2) ? "neg" : "abs()", {next()});
      case 5:
        return apply(draw_.one_in(2) ? "min()" : "max()", {next(), next()});
      case 6:
      case 7:
        return apply("select()", {truth(1), next(), next()});
      case 8:
        return apply("clamp()", {next(), apply("neg", {push({.op = "1", .number = 7})}),
                                 push({.op = "1", .number = 5})});
      case 9:
        return apply("/", {next(), draw_.one_in(2) ? push({.op = "1", .number = 4})
                                                   : at_least_one(depth - 1)});
      case 10: {
        const int cast = apply("cast()", {next()});
        result_.nodes.back().type =
            draw_.from<DType>({DType::f16, DType::bf16, DType::tf32, DType::f32, DType::e4m3,
                               DType::e5m2, DType::s8, DType::u8, DType::s32});
        return cast;
      }
      case 11:
        return draw_.one_in(2)
                   ? apply("relu()", {next()})
                   : apply("leaky_relu()", {next(), push({.op = "1", .number = 0.125})});
      case 12:
        if (draw_.one_in(3))
          return apply("pow()", {at_least_one(depth - 1),
                                 push({.op = "1", .number = draw_.one_in(2) ? 0.75 : -1.5})});
        return draw_.one_in(2) ? apply("sqrt()", {apply("abs()", {next()})})
                               : apply("rsqrt()", {at_least_one(depth - 1)});
      case 13:
        return draw_.one_in(2)
                   ? apply("log()", {at_least_one(depth - 1)})
                   : apply("exp()", {apply("min()", {next(), push({.op = "1", .number = 3})})});
      default:
        return apply(draw_.from<std::string>({"tanh()", "sigmoid()", "erf()", "gelu()",
                                              "gelu_tanh()", "silu()", "hardswish()"}),
                     {next()});
    }
  }

  [[nodiscard]] bool uses(int node, int wanted) const {
    return node == wanted || std::ranges::any_of(result_.nodes[static_cast<std::size_t>(node)].kids,
                                                 [&](int kid) { return uses(kid, wanted); });
  }
  void drop_unused_locals() {
    std::erase_if(result_.locals, [&](const PlainLocal& local) {
      return std::ranges::none_of(result_.outputs, [&](const PlainOutput& output) {
        return uses(output.node, local.node);
      });
    });
  }

  Chance draw_;
  EpilogueGrowth growth_;
  PlainEpilogue result_;
};

bool is_named(const PlainEpilogue& epilogue, int input) {
  return std::ranges::any_of(epilogue.used(), [&](const PlainNode& node) {
    return node.op == "x" && node.input == input;
  });
}

}  // namespace

PlainEpilogue random_epilogue(std::uint64_t seed, const EpilogueGrowth& growth) {
  PlainEpilogue grown = Grower(seed, growth).grown();
  // Inputs of a local that nothing uses are none.
  for (std::size_t i = grown.inputs.size(); i-- > 0;) {
    if (is_named(grown, static_cast<int>(i))) continue;
    grown.inputs.erase(grown.inputs.begin() + static_cast<std::ptrdiff_t>(i));
    for (PlainNode& node : grown.nodes)
      if (node.op == "x" && node.input > static_cast<int>(i)) --node.input;
  }
  return grown;
}

}  // namespace jute::test
