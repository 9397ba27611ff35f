// Which values prove an MMA atom, and their product.
#include "proof/mma_passes.hpp"

#include <algorithm>

namespace jute::proof {
namespace {

/// How many digits of base K tell all rows apart. The metadata of 2:4 sparse rows is only seen
/// through their columns, so rows that are equal modulo K must differ in another pass.
int wraps_of(const MmaAtom& atom) {
  int wraps = 1;
  if (!is_sparse(atom)) return wraps;
  for (Index reach = atom.shape.k; reach < atom.shape.m; reach *= atom.shape.k) ++wraps;
  return wraps;
}

Index most(const ProbeEncoder& operand, const ProbeEncoder& d) {
  return std::min(operand.largest(), d.largest());
}

/// The ones of each column, as an exclusive or with zeros counts them.
std::vector<std::vector<Index>> ones_by_column(const ShapeMnk& shape, const DigitCode& code) {
  std::vector<std::vector<Index>> ones(static_cast<size_t>(code.digits));
  for (int digit = 0; digit < code.digits; ++digit)
    for (int n = 0; n < shape.n; ++n) {
      Index sum = 0;
      for (int k = 0; k < shape.k; ++k) sum += code.digit(n + Index{shape.n} * k, digit);
      ones[static_cast<size_t>(digit)].push_back(sum);
    }
  return ones;
}

}  // namespace

DigitCode::DigitCode(Index count, Index largest) : base(largest + 1) {
  for (Index reach = base; reach <= count; reach *= base) ++digits;
}

Index DigitCode::digit(Index index, int place) const {
  Index rest = index + 1;
  for (int i = 0; i < place; ++i) rest /= base;
  return rest % base;
}

MmaPasses::MmaPasses(const MmaAtom& atom, int selectors)
    : shape_(atom.shape),
      a_encoder_(atom.a_type),
      b_encoder_(atom.b_type),
      c_encoder_(atom.c_type),
      d_encoder_(atom.d_type),
      a_code_(atom.shape.m, most(a_encoder_, d_encoder_)),
      b_code_(Index{atom.shape.n} * atom.shape.k, most(b_encoder_, d_encoder_)),
      c_code_(Index{atom.shape.m} * atom.shape.n, most(c_encoder_, d_encoder_)),
      d_parts_(parts(atom.d_type)),
      wraps_(wraps_of(atom)) {
  if (atom.ptx.find(".xor") != std::string::npos) b_ones_ = ones_by_column(atom.shape, b_code_);
  const int units_a = parts(atom.a_type), units_b = parts(atom.b_type);
  for (int selector = 0; selector < selectors; ++selector)
    for (int unit_a = 0; unit_a < units_a; ++unit_a)
      for (int unit_b = 0; unit_b < units_b; ++unit_b)
        add_products({.selector = selector, .unit_a = unit_a, .unit_b = unit_b});
  for (int part = 0; part < parts(atom.c_type); ++part)
    for (int digit = 0; digit < c_code_.digits; ++digit)
      passes_.push_back({.kind = MmaPass::Kind::c_digit, .digit = digit, .part = part});
}

void MmaPasses::add_products(MmaPass pass) {
  for (pass.wrap = 0; pass.wrap < wraps_; ++pass.wrap) {
    for (pass.shift = 0; pass.shift < shape_.k; ++pass.shift) {
      for (pass.digit = 0; pass.digit < b_code_.digits; ++pass.digit) {
        pass.kind = MmaPass::Kind::b_digit;
        passes_.push_back(pass);
      }
      if (pass.wrap > 0) continue;
      for (pass.digit = 0; pass.digit < a_code_.digits; ++pass.digit) {
        pass.kind = MmaPass::Kind::a_digit;
        passes_.push_back(pass);
      }
      pass.digit = 0;
      pass.kind = MmaPass::Kind::presence;
      passes_.push_back(pass);
    }
  }
}

int MmaPasses::column(const MmaPass& pass, int m) const {
  int digit = m;
  for (int i = 0; i < pass.wrap; ++i) digit /= shape_.k;
  return (digit + pass.shift) % shape_.k;
}

ProbeValue MmaPasses::a(const MmaPass& pass, int m) const {
  ProbeValue value{};
  if (pass.kind == MmaPass::Kind::c_digit) return value;
  value[static_cast<size_t>(pass.unit_a)] =
      pass.kind == MmaPass::Kind::a_digit ? a_code_.digit(m, pass.digit) : 1;
  return value;
}

ProbeValue MmaPasses::b(const MmaPass& pass, int n, int k) const {
  ProbeValue value{};
  if (pass.kind == MmaPass::Kind::c_digit) return value;
  value[static_cast<size_t>(pass.unit_b)] =
      pass.kind == MmaPass::Kind::b_digit ? b_code_.digit(n + Index{shape_.n} * k, pass.digit) : 1;
  return value;
}

ProbeValue MmaPasses::c(const MmaPass& pass, int m, int n) const {
  ProbeValue value{};
  if (pass.kind == MmaPass::Kind::c_digit)
    value[static_cast<size_t>(pass.part)] = c_code_.digit(m + Index{shape_.m} * n, pass.digit);
  return value;
}

ProbeValue MmaPasses::product(const MmaPass& pass, int m, int n) const {
  const ProbeValue a = this->a(pass, m);
  const ProbeValue b = this->b(pass, n, column(pass, m));
  if (!b_ones_.empty()) {
    const bool digits = pass.kind == MmaPass::Kind::b_digit;
    const Index ones =
        digits ? b_ones_[static_cast<size_t>(pass.digit)][static_cast<size_t>(n)] : Index{shape_.k};
    return {a[0] + ones - 2 * a[0] * b[0], 0, 0};
  }
  if (d_parts_ == 3) return {(a[0] + a[1]) * b[0], a[1] * (b[0] + b[1]), a[0] * (b[1] - b[0])};
  return {a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0], 0};
}

ProbeValue MmaPasses::d(const MmaPass& pass, int m, int n) const {
  return pass.kind == MmaPass::Kind::c_digit ? c(pass, m, n) : product(pass, m, n);
}

const ProbeEncoder& MmaPasses::encoder(Operand operand) const {
  switch (operand) {
    case Operand::a:
      return a_encoder_;
    case Operand::b:
      return b_encoder_;
    case Operand::c:
      return c_encoder_;
    case Operand::d:
      break;
  }
  return d_encoder_;
}

}  // namespace jute::proof
