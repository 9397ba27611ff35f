#pragma once
// Random expressions that keep the rules, as texts.
#include <random>
#include <string>
#include <vector>

namespace jute::test {

class RandomExpression {
 public:
  struct Options {
    bool functions = true;  ///< those with an error too
    bool exact_functions = true;
    bool integers = false;  ///< only what stays in integers
  };
  RandomExpression(unsigned seed, const Options& options) : random_(seed), options_(options) {}

  /// `y0 := …; d = …; g = amax(…)`, with acc somewhere.
  std::string text() {
    std::string text;
    while (text.find("acc") == std::string::npos) text = any_text();
    return text;
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

 private:
  std::string any_text() {
    names_.clear();
    std::string text = options_.functions && below(3) == 0 ? "math = fast; " : "";
    const int locals = below(3);
    for (int i = 0; i < locals; ++i) {
      const std::string name = "y" + std::to_string(i);
      text += name + " := " + number(3) + "; ";
      names_.push_back(name);
    }
    if (below(2) == 0) return text + number(4);
    text += "d = " + number(4);
    static constexpr const char* kGathers[] = {"", "amax", "sum", "row_sum[m]", "col_sum[n]"};
    for (int i = below(3); i > 0; --i) {
      const std::string gather = kGathers[below(5)];
      text += "; o" + std::to_string(i) + " = " + gather + "(" + number(2) + ")";
    }
    if (below(3) == 0) text += "; k = bit(" + truth(2) + ")";
    return text;
  }

  std::string leaf() {
    if (!names_.empty() && below(3) == 0)
      return names_[static_cast<std::size_t>(below(2)) % names_.size()];
    static constexpr const char* kLeaves[] = {"acc",    "alpha",  "s",   "v[m]", "w[batch,n]",
                                              "x[m,n]", "2",      "-3",  "0",    "c",
                                              "beta*c", "c*beta", "beta"};
    static constexpr const char* kReal[] = {"0.25", "1e-3", "1e30", "inf", "nan", "-0.7"};
    if (!options_.integers && below(5) == 0) return kReal[below(6)];
    return kLeaves[below(13)];
  }

  std::string truth(int depth) {
    static constexpr const char* kComparisons[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    if (depth > 0 && below(4) == 0) return "not (" + truth(depth - 1) + ")";
    if (depth > 0 && below(4) == 0)
      return "(" + truth(depth - 1) + (below(2) == 0 ? " and " : " or ") + truth(depth - 1) + ")";
    return "(" + number(depth) + kComparisons[below(6)] + number(depth) + ")";
  }

  std::string number(int depth) {
    if (depth == 0) return leaf();
    const auto next = [&] { return number(depth - 1); };
    switch (below(options_.integers ? 8 : 12)) {
      case 0:
        return "(" + next() + " + " + next() + ")";
      case 1:
        return "(" + next() + " - " + next() + ")";
      case 2:
        return next() + "*" + next() + " + " + next();
      case 3:
        return "(" + next() + ")*" + leaf();
      case 4:
        return "-(" + next() + ")";
      case 5:
        return (below(2) == 0 ? "min(" : "max(") + next() + ", " + next() + ")";
      case 6:
        return "select(" + truth(1) + ", " + next() + ", " + next() + ")";
      case 7:
        if (below(4) == 0) return "square(" + next() + ")";
        return below(2) == 0 ? "abs(" + next() + ")" : "clamp(" + next() + ", -100, 50)";
      case 8:
        return "(" + next() + ")/(" + next() + ")";
      case 9: {
        static constexpr const char* kTypes[] = {"f16",  "bf16", "tf32", "f32", "f64",
                                                 "e4m3", "e5m2", "s8",   "u8",  "s32"};
        return std::string(kTypes[below(10)]) + "(" + next() + ")";
      }
      case 10:
        if (below(2) == 0) return "leaky_relu(" + next() + ", 0.01)";
        return (below(2) == 0 ? "relu(" : "sqrt(") + next() + ")";
      default:
        break;
    }
    static constexpr const char* kFunctions[] = {
        "exp", "log", "tanh", "sigmoid", "erf", "gelu", "gelu_tanh", "silu", "rsqrt", "hardswish"};
    if (!options_.functions) return leaf();
    if (below(8) == 0) return "pow(" + next() + ", " + leaf() + ")";
    return std::string(kFunctions[below(10)]) + "(" + next() + ")";
  }

  std::mt19937 random_;
  Options options_;
  std::vector<std::string> names_;
};

}  // namespace jute::test
