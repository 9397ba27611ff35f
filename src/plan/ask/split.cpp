// The precisions that an f32 problem may be computed in, and what each loses.
#include "plan/ask/split.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <jute/layout/algebra.hpp>

#include "base/format.hpp"
#include "plan/derive/gemm_step.hpp"

namespace jute {
namespace {

constexpr std::array kSplits{Split{Precision::tf32x3, "tf32x3", DType::tf32, 2},
                             Split{Precision::bf16x6, "bf16x6", DType::bf16, 3}};

}  // namespace

std::span<const Split> splits() { return kSplits; }

const Split* split_of(Precision precision) {
  const auto* const found = std::ranges::find(kSplits, precision, &Split::precision);
  return found == kSplits.end() ? nullptr : found;
}

ProductTable product_table(const GemmStep& step) {
  ProductTable table{.products = std::ssize(step.products)};
  for (size_t i = step.products.size(); i-- > 0;) {
    const auto [a, b] = step.products[i];
    table.of_a = table.of_a << table.bits | a;
    table.of_b = table.of_b << table.bits | b;
    table.terms = std::max<Index>({table.terms, a + 1, b + 1});
  }
  return table;
}

namespace plan {

std::vector<TermProduct> products_of(Precision precision) {
  std::vector<TermProduct> list;
  const Split* split = split_of(precision);
  for (int places = split != nullptr ? split->terms - 1 : -1; places >= 0; --places)
    for (int a = places; a >= 0; --a) list.push_back({a, places - a});
  return list;
}

std::string to_string(const std::vector<TermProduct>& products) {
  std::string text;
  for (const TermProduct& product : products)
    text += base::format("{}({},{})", text.empty() ? "" : " ", product.a, product.b);
  return text.empty() ? "none" : text;
}

int terms_of(const GemmStep& step) { return static_cast<int>(product_table(step).terms); }

ComposedLayout with_terms(const ComposedLayout& tile, int terms, DType type) {
  if (terms == 1) return tile;
  const Layout& one = tile.layout();
  return {tile.swizzle(), tile.offset(),
          make_layout({one[0], one[1], Layout(terms, stage_stride(tile, type))})};
}

// Of p bits, the rest behind each term is at most 2^-p of what was split. After all P of them
// either operand lacks 2^-pP, and so do the P - 1 largest of the products that are left out.
double split_error(const GemmStep& step) {
  if (step.products.empty()) return 0;
  const int terms = terms_of(step);
  return (terms + 1) * std::ldexp(1.0, -terms * precision_bits(step.a.type));
}

Errors product_rules(const GemmStep& step) {
  if (step.products.empty()) return {};
  if (!step.a.boxes || !step.b.boxes)
    return {broken("products", std::to_string(step.products.size()),
                   "products of split operands need tiles that TMA loads: there must be none",
                   "0")};
  Errors errors;
  for (const auto& [name, operand] : {std::pair("smem_a", &step.a), std::pair("smem_b", &step.b)}) {
    const Layout& layout = operand->smem.layout();
    const ComposedLayout one(operand->smem.swizzle(), operand->smem.offset(),
                             make_layout({layout[0], layout[1]}));
    const ComposedLayout all = with_terms(one, terms_of(step), operand->type);
    if (!(operand->smem == all) || operand->stage_stride_elems != stage_stride(all, operand->type))
      errors.push_back(broken(name, to_string(operand->smem),
                              "a stage must hold all terms of its tile, one behind the other",
                              to_string(all)));
  }
  return errors;
}

}  // namespace plan
}  // namespace jute
