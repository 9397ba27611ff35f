#pragma once
// The words of calls: a table says what each one is, a function's signature which of them it takes.
#include "product.hpp"

namespace jute::python {

/// The words of convolutions besides their arrays.
struct ConvolutionWords {
  nb::object stride, padding, dilation;  ///< or invalid: usual
  Index groups = 1;
};

/// A call as it was said; what was not said is as usual.
struct Call {
  Wish wish{};
  Operands operands{};
  ConvolutionWords convolution{};
  std::string order{};                 ///< of images, or of a contraction's result; empty: as usual
  nb::handle x{}, w{}, dy{}, size{};   ///< of convolutions and their gradients
  TensorRole operand = TensorRole::b;  ///< that is packed
  nb::args places{};                   ///< words without names
};

/// unknown_name, with the nearest of the words that a function takes.
[[noreturn]] void refuse_keyword(nb::handle word, const std::vector<std::string>& takes,
                                 const std::string& function);
/// The text that is said for a word.   throws  wrong_type: it is none
[[nodiscard]] std::string text_of(nb::handle given, const char* name);

/// A signature: what it begins with, and the words that have its letter and do not stand there.
/// Prepared products are made with words of P (plain), G (groups), S (scaled), and called with
/// those of p, g, s; what runs at once takes those of m (matmul), r (groups), q (scaled), e
/// (einsum), v (convolutions), h (their gradients).
[[nodiscard]] std::string signature_of(std::string_view head, char taker, std::string_view result);

struct KnownWord;

/// A function's name, and the words that it takes.
class Takes {
 public:
  /// A signature as Python has it: "def pack(self, operand: str, array: Any, scale: Any = None)
  /// -> Packed". Words behind a `*` must be said with their names; a `*operands` and what is before
  /// it are places that are left to the function.
  explicit Takes(std::string_view signature);

  ///   throws  unknown_name: a word that it does not take; wrong_arity: too many, too few, one
  ///           twice; wrong_type: a word of another kind
  [[nodiscard]] Call read(const nb::args& places, const nb::kwargs& named) const;

 private:
  struct Taken {
    std::string name;
    const KnownWord* word;
  };
  void add(std::string_view word);
  [[nodiscard]] std::vector<std::string> names() const;
  [[noreturn]] void refuse_count(std::size_t given) const;

  static constexpr std::size_t kAnyPlaces = static_cast<std::size_t>(-1);
  std::string function_;
  std::vector<Taken> words_;
  std::size_t places_ = 0, needed_ = 0;
};

/// The function that runs a call.
using Function = nb::object (*)(Call& call);

/// Adds a function of the table's words: what its signature begins with, "matmul(a: Any", its
/// letter.
void add_called(nb::module_& core, const std::string& head, char taker, std::string_view result,
                Function function);

/// Runs a call whose a and b are lists, plain or scaled; gives the list of results.
///   throws  unsupported: a word that lists have not
[[nodiscard]] nb::object multiply_each(Call& call, Reading reading);

}  // namespace jute::python
