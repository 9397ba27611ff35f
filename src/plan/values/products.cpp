// Products of terms, and what is lost with those that are left out.
#include "plan/values/products.hpp"

#include <jute/plan/ask/split.hpp>

#include <algorithm>
#include <cmath>

#include "base/format.hpp"

namespace jute {

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

}  // namespace jute

namespace jute::plan {

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

// With p bits the rest behind each term is at most 2^-p of what was split. After all P of them
// either operand lacks 2^-pP, and so do the P - 1 largest of the products that are left out.
double split_error(const GemmStep& step) {
  if (step.products.empty()) return 0;
  const int terms = terms_of(step);
  return (terms + 1) * std::ldexp(1.0, -terms * precision_bits(step.a.type));
}

}  // namespace jute::plan
