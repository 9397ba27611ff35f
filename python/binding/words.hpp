#pragma once
// The words of calls: a table says what each one is, a function's signature which of them it takes.
#include "product.hpp"

namespace jute::python {

/// The words of convolutions besides their arrays.
struct ConvolutionWords {
  nb::object stride, padding, dilation;  ///< or invalid: usual
  Index groups = 1;
};

/// The words of a problem besides those that calls have, too.
struct ProblemWords {
  Index batch = 1, lda = 0, ldb = 0, ldd = 0;
  Order order_a = Order::row, order_b = Order::row, order_d = Order::row;
  std::optional<DType> type_a{}, type_b{}, accumulate{};
};

/// A call as it was said; what was not said is as usual.
struct Call {
  Wish wish{};
  Operands operands{};
  ConvolutionWords convolution{};
  std::string order{};                ///< of images, or of a contraction's result; empty: as usual
  nb::handle x{}, w{}, dy{}, size{};  ///< of convolutions and their gradients
  ProblemWords problem{};
  TensorRole operand = TensorRole::b;  ///< that is packed
  nb::args places{};                   ///< words without names
};

struct KnownWord;

/// A function's name, and the words that it takes.
class Takes {
 public:
  /// A signature as Python has it: "def pack(self, operand: str, array: Any, scale: Any = None)
  /// -> Packed". Words may all be said without their names.
  explicit Takes(std::string_view signature);
  /// The first `places` words may be said without their names, the first `needed` must be said.
  /// Where there are more places than words what stands there is left to the function.
  Takes(std::string function, const std::vector<std::string>& words, std::size_t places,
        std::size_t needed);

  ///   throws  unknown_name: a word that it does not take; wrong_arity: too many, too few, one
  ///           twice; wrong_type: a word of another kind
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] Call read(const nb::args& places, const nb::kwargs& named) const;

 private:
  struct Taken {
    std::string name;
    const KnownWord* word;
  };
  void add(std::string_view word);
  [[noreturn]] void refuse_word(nb::handle word) const;
  [[noreturn]] void refuse_count(std::size_t given) const;

  std::string function_;
  std::vector<Taken> words_;
  std::size_t places_ = 0, needed_ = 0;
};

/// The function that runs a call.
using Function = nb::object (*)(Call& call);

/// Adds `name(function, words, places, needed)`, which makes of a Python function's signature what
/// reads its calls and runs them.
void add_function(nb::module_& core, const char* name, Function function);

/// Runs a call whose a and b are lists, plain or scaled; gives the list of results.
///   throws  unsupported: a word that lists have not
[[nodiscard]] nb::object multiply_each(Call& call, Reading reading);

}  // namespace jute::python
