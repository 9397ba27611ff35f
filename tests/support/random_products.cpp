// Fills the probes of atoms with random operands and compares what two back ends make of them.
#include "support/random_products.hpp"

#include <jute/proof/probe.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <random>
#include <thread>

#include "proof/probe_run.hpp"

namespace jute::test {
namespace {

/// What the values of one execution have in common.
enum class ProductDraw : std::uint8_t {
  any,           ///< every pattern is as likely
  near_one,      ///< exponents of a few octaves: sums that round
  one_exponent,  ///< sums that cancel
  sparse,        ///< mostly zeros, of both signs
  subnormal,     ///< the smallest exponents
  specials,      ///< NaN, infinities, the largest and the smallest among others
};
constexpr Index kDraws = 6;

struct FloatBits {
  int exponent = 0, mantissa = 0;
};
/// Nothing for integers and bits.
FloatBits float_bits(std::string_view type) {
  struct Row {
    std::string_view name;
    FloatBits bits;
  };
  static constexpr std::array<Row, 7> kRows{{{"f16", {5, 10}},
                                             {"bf16", {8, 7}},
                                             {"tf32", {8, 23}},
                                             {"f32", {8, 23}},
                                             {"f64", {11, 52}},
                                             {"e4m3", {4, 3}},
                                             {"e5m2", {5, 2}}}};
  for (const Row& row : kRows)
    if (type == row.name) return row.bits;
  return {};
}

class Values {
 public:
  explicit Values(std::uint64_t seed) : random_(seed) {}

  std::uint64_t word() { return random_(); }

  /// One value of the type, as the lowest bits.
  std::uint64_t draw(ProductDraw kind, FloatBits bits) {
    const std::uint64_t any = random_();
    if (bits.exponent == 0) return kind == ProductDraw::sparse && any % 4 != 0 ? 0 : any >> 8;
    const std::uint64_t top = (1ULL << bits.exponent) - 1, bias = top >> 1;
    const std::uint64_t mantissa = any & ((1ULL << bits.mantissa) - 1);
    const std::uint64_t sign = any >> 63 << (bits.exponent + bits.mantissa);
    const std::uint64_t pick = random_();
    const auto made = [&](std::uint64_t exponent, std::uint64_t fraction) {
      return sign | std::min(exponent, top) << bits.mantissa | fraction;
    };
    switch (kind) {
      case ProductDraw::any:
        return any;
      case ProductDraw::near_one:
        return made(bias - 3 + pick % 7, mantissa);
      case ProductDraw::one_exponent:
        return made(bias, mantissa);
      case ProductDraw::sparse:
        return pick % 4 != 0 ? sign : made(bias - 6 + pick / 4 % 13, mantissa);
      case ProductDraw::subnormal:
        return made(pick % 3 == 0 ? 1 : pick % 3 == 1 ? 0 : bias, mantissa);
      case ProductDraw::specials:
        break;
    }
    switch (pick % 24) {
      case 0:
        return made(top, mantissa);
      case 1:
        return made(top, 0);
      case 2:
        return made(top - 1, (1ULL << bits.mantissa) - 1);
      case 3:
        return made(0, 1);
      case 4:
        return sign;
      default:
        return made(bias - 6 + pick / 24 % 13, mantissa);
    }
  }

 private:
  std::mt19937_64 random_;
};

void fill_values(std::span<std::byte> bytes, const ValueType& type, ProductDraw kind,
                 Values& values) {
  const auto colon = type.name.find(':');  // `sparse2:f16` stores f16
  const std::string_view stored =
      colon == std::string_view::npos ? type.name : type.name.substr(colon + 1);
  const FloatBits bits = float_bits(stored);
  // Values narrower than a byte are whole bytes of any pattern.
  const auto width = static_cast<size_t>(std::max(8, type.bits) / 8);
  for (size_t at = 0; at + width <= bytes.size(); at += width) {
    const std::uint64_t value = values.draw(kind, bits);
    std::memcpy(bytes.data() + at, &value, width);
  }
}

/// Nibbles that name two places of four in order; of 32-bit values, one place of two.
void fill_metadata(std::span<std::byte> bytes, bool is_pairwise, Values& values) {
  static constexpr std::array<std::uint64_t, 6> kTwoOfFour = {0x4, 0x8, 0xC, 0x9, 0xD, 0xE};
  static constexpr std::array<std::uint64_t, 2> kOneOfTwo = {0x4, 0xE};
  const auto nibble = [&] {
    const std::uint64_t pick = values.word() >> 16;
    return is_pairwise ? kOneOfTwo[pick % 2] : kTwoOfFour[pick % 6];
  };
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(nibble() | nibble() << 4);
}

proof::ProbeData filled(const MmaAtom& atom, const Probe& probe, Index passes, std::uint64_t seed) {
  proof::ProbeData data(probe, passes);
  Values values(seed);
  for (size_t buffer = 0; buffer + 1 < probe.buffers.size(); ++buffer)
    for (Index pass = 0; pass < passes; ++pass) {
      const std::string& name = probe.buffers[buffer].name;
      const std::span<std::byte> bytes = data.pass(buffer, pass);
      const auto kind = static_cast<ProductDraw>(pass % kDraws);
      if (name == "metadata") {
        fill_metadata(bytes, atom.b_type.bits == 32, values);
      } else if (name == "selector") {
        const auto selector = static_cast<std::uint32_t>(pass % probe.selectors);
        std::memcpy(bytes.data(), &selector, sizeof(selector));
      } else {
        fill_values(bytes,
                    name == "a"   ? atom.a_type
                    : name == "b" ? atom.b_type
                                  : atom.c_type,
                    kind, values);
      }
    }
  return data;
}

std::string hex(std::span<const std::byte> bytes) {
  std::string text;
  for (size_t i = bytes.size(); i-- > 0;) {
    std::array<char, 4> digits;
    std::snprintf(digits.data(), digits.size(), "%02x", std::to_integer<unsigned>(bytes[i]));
    text += digits.data();
  }
  return text;
}

void compare(const proof::ProbeData& left, const proof::ProbeData& right, const MmaAtom& atom,
             ProductComparison& result) {
  const std::vector<std::byte>&a = left.buffers.back(), &b = right.buffers.back();
  const auto width = static_cast<size_t>(atom.d_type.bits / 8);
  for (size_t at = 0; at + width <= a.size(); at += width, ++result.outputs) {
    const auto one = std::span(a).subspan(at, width), other = std::span(b).subspan(at, width);
    if (std::ranges::equal(one, other)) continue;
    if (result.different++ == 0)
      result.first = "value " + std::to_string(at / width) + " of pass " +
                     std::to_string(at / (a.size() / static_cast<size_t>(left.passes))) + ": " +
                     hex(one) + " and " + hex(other);
  }
}

class Comparer {
 public:
  Comparer(Context& left, Context& right, const std::vector<std::string>& atoms, Index outputs,
           std::uint64_t seed)
      : left_(left), right_(right), atoms_(atoms), outputs_(outputs), seed_(seed) {
    for (const std::string& atom : atoms)
      results_.push_back({.atom = atom, .first = {}, .reason = {}});
  }

  std::vector<ProductComparison> run() {
    {
      std::vector<std::jthread> threads;
      const unsigned most = std::max(1U, std::thread::hardware_concurrency());
      for (unsigned i = 0; i < most; ++i) threads.emplace_back([this] { work(); });
    }
    return std::move(results_);
  }

 private:
  void work() {
    for (size_t i = next_++; i < atoms_.size(); i = next_++) {
      try {
        compare_atom(left_.catalogue().mma(atoms_[i]), results_[i]);
      } catch (const std::exception& refusal) {
        results_[i].reason = refusal.what();
      }
    }
  }

  void compare_atom(const MmaAtom& atom, ProductComparison& result) {
    const Probe probe = make_probe(atom, right_.backend().device_info().arch, right_.templates());
    const Index each = Index{atom.shape.m} * atom.shape.n;
    const Index passes = std::max(2 * kDraws, (outputs_ + each - 1) / each);
    proof::ProbeData left = filled(atom, probe, passes, seed_), right = left;
    for (auto& [context, device, data] :
         {std::tuple<Context&, proof::SharedDevice&, proof::ProbeData&>(left_, left_device_, left),
          {right_, right_device_, right}}) {
      const proof::ProbeRun ran = proof::run_probe(context, device, atom.name, probe, data);
      if (ran.result == AtomResult::proved) continue;
      result.reason =
          context.backend().name() + ": " + std::string(name(ran.result)) + " " + ran.reason;
      return;
    }
    compare(left, right, atom, result);
  }

  Context &left_, &right_;
  const std::vector<std::string>& atoms_;
  Index outputs_;
  std::uint64_t seed_;
  proof::SharedDevice left_device_, right_device_;
  std::vector<ProductComparison> results_;
  std::atomic<size_t> next_ = 0;
};

}  // namespace

std::vector<ProductComparison> compare_products(Context& left, Context& right,
                                                const std::vector<std::string>& atoms,
                                                Index outputs, std::uint64_t seed) {
  return Comparer(left, right, atoms, outputs, seed).run();
}

std::string to_string(const std::vector<ProductComparison>& comparisons) {
  std::string text;
  Index outputs = 0;
  for (const ProductComparison& one : comparisons) {
    outputs += one.outputs;
    if (one.is_equal()) continue;
    text += one.atom + ": " +
            (one.reason.empty() ? std::to_string(one.different) + " of " +
                                      std::to_string(one.outputs) + " differ, " + one.first
                                : one.reason) +
            "\n";
  }
  return text + std::to_string(comparisons.size()) + " atoms, " + std::to_string(outputs) +
         " outputs\n";
}

}  // namespace jute::test
