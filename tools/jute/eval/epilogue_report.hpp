#pragma once
// An epilogue's expression for people and for programs.
#include <jute/emit/template_set.hpp>
#include <jute/epilogue/cuda_text.hpp>

#include <string>

#include "files/json_writer.hpp"

namespace jute::command {

/// An expression with what is told of it.
struct EpilogueReport {
  EpilogueExpression expression;
  DType accumulate = DType::f32;
  EpilogueAccuracy accuracy = EpilogueAccuracy::full;
};

[[nodiscard]] std::string to_text(const EpilogueReport& report, const TemplateSet& templates);
[[nodiscard]] Json to_json(const EpilogueReport& report);

}  // namespace jute::command
