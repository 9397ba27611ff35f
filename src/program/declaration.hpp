#pragma once
// The declarations of a CUDA text, as far as their tokens tell them apart.
#include <cstdint>
#include <string_view>
#include <vector>

#include "program/macros.hpp"
#include "program/token.hpp"

namespace jute::program {

enum class CudaDeclarationKind : std::uint8_t {
  block,     ///< a namespace or `extern "C"`: its members count
  type,      ///< class, union, enumeration, alias, using-declaration
  function,  ///< with its body where it has one
  variable,
  using_directive,  ///< `using namespace std;`
  macro_call,       ///< of a macro that writes declarations
  other,            ///< static_assert, asm, what is not understood
};

/// Who runs a function or holds a variable, by its annotations.
enum class CudaSide : std::uint8_t { unmarked, device, host };

struct CudaDeclaration {
  CudaDeclarationKind kind = CudaDeclarationKind::other;
  CudaSide side = CudaSide::unmarked;
  std::size_t first = 0, last = 0;  ///< its tokens, the last one excluded
  std::vector<std::string_view> names = {};
  std::vector<CudaDeclaration> members = {};  ///< of a block or a class
  bool is_constant = false;                   ///< const or constexpr
  bool is_constexpr = false;
  bool is_kernel = false;        ///< `__global__`
  bool has_body = false;         ///< a function that is defined here
  bool is_fixed = false;         ///< `= default`, `= delete`, `= 0`, or virtual
  std::size_t parameters = 0;    ///< of a function: its `(`
  std::size_t template_end = 0;  ///< behind `template <…>`; `first` where it has none
};

/// The declarations of namespaces and classes, in order. Unknown ones are `other`, and one token
/// at least.
[[nodiscard]] std::vector<CudaDeclaration> declarations_of(CudaTokens tokens, const Macros& macros);

}  // namespace jute::program
