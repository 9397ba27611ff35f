#pragma once
// Functions of a program by name: parameters, bodies, template parameters.
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/declaration.hpp"

namespace jute::program {

struct ParameterText {
  std::string name;
  std::string type;  ///< without qualifiers, references and pointers
  bool is_pointer = false;
  bool is_constant = false;  ///< `const`
};

struct FunctionText {
  std::string name;
  std::string scope;  ///< "net::" of a function in namespace net
  bool is_kernel = false;
  std::size_t at = 0;  ///< where it begins in the text
  std::vector<std::string> template_parameters;
  std::vector<ParameterText> parameters;
  CudaTokens body;  ///< between its braces; empty of a prototype
};

/// Every function that a namespace or class defines, kernels also where they are declared only.
[[nodiscard]] std::vector<FunctionText> functions_of(CudaTokens tokens,
                                                     const std::vector<CudaDeclaration>& declared);

}  // namespace jute::program
