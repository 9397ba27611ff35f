// Kinds of values.
#include "epilogue/kinds.hpp"

#include <jute/epilogue/types.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/format.hpp"
#include "epilogue/words.hpp"

namespace jute::epilogue {
namespace {

/// An operation in a sentence: `+`, gelu, bf16.
std::string spoken(const EpilogueNode& node) {
  if (operation(node.op).spelling.empty()) return std::string(name(node.type));
  return std::string(operation(node.op).spelling);
}

bool is_scalar_input(const EpilogueExpression& expression, int place) {
  const EpilogueNode& node = expression.nodes[static_cast<std::size_t>(place)];
  const auto input = static_cast<std::size_t>(node.input);
  return node.op == EpilogueOp::input &&
         (input >= expression.inputs.size() ||
          (expression.inputs[input].extent == EpilogueExtent::scalar &&
           !expression.inputs[input].batched));
}

/// The fault of the last node, which is of blocks.
std::string block_fault(const EpilogueExpression& expression) {
  const EpilogueBlock& block = expression.nodes.back().block;
  constexpr std::array kRows{1, 64, 128};
  constexpr std::array kColumns{64, 128};
  const bool is_of_lines = block.n == kWholeExtent && (block.m == 1 || block.m == kWholeExtent);
  if (!is_of_lines && (std::ranges::find(kRows, block.m) == kRows.end() ||
                       std::ranges::find(kColumns, block.n) == kColumns.end()))
    return base::format(
        "blocks must have 1, 64 or 128 rows and 64 or 128 columns of D, as amax[1,128](x), or be "
        "whole rows, amax[1,n](x), or all of it, amax[m,n](x), not {} and {}",
        block.m, block.n);
  if (std::ranges::count(expression.nodes, EpilogueOp::block_amax, &EpilogueNode::op) > 1)
    return "an epilogue must name one amax of blocks: s := amax[1,128](x) is a name for it";
  return {};
}

constexpr const char* kTakers = "select, bit, not, and, or";

}  // namespace

std::string KindTracker::wants(const EpilogueExpression& expression, int node, EpilogueKind kind,
                               std::string_view who) {
  std::optional<EpilogueKind>& is = kinds_[static_cast<std::size_t>(node)];
  if (!is) is = kind;
  if (*is == kind) return {};
  if (*is == EpilogueKind::bit)
    return base::format("bit(…) must be the whole of an output; {} needs a value", who);
  if (*is == EpilogueKind::seed || kind == EpilogueKind::seed)
    return "a seed must be an input of its own: bf16(x, seed) and the like take nothing else "
           "there, "
           "and nothing else takes it";
  if (expression.nodes[static_cast<std::size_t>(node)].op == EpilogueOp::input)
    return base::format(
        "an input must be a number everywhere or a truth value everywhere ({} take "
        "these)",
        kTakers);
  if (kind == EpilogueKind::number)
    return base::format("{} needs a number, and this is a truth value: {} take it", who, kTakers);
  return base::format("{} needs a truth value, a comparison", who);
}

std::string KindTracker::take(const EpilogueExpression& expression, int* faulty) {
  const EpilogueNode& node = expression.nodes.back();
  if (node.op == EpilogueOp::block_amax)
    if (std::string fault = block_fault(expression); !fault.empty()) return fault;
  const EpilogueOperation& row = operation(node.op);
  kinds_.resize(expression.nodes.size());
  if (node.op != EpilogueOp::input) kinds_.back() = row.result;
  for (int i = 0; i < row.arity; ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::string fault = wants(expression, node.operands[at], row.operands[at], spoken(node));
    if (fault.empty() && row.operands[at] == EpilogueKind::seed &&
        !is_scalar_input(expression, node.operands[at]))
      fault = "a seed must be one number for all of D, an input without an index";
    if (fault.empty()) continue;
    if (faulty != nullptr) *faulty = i;
    return fault;
  }
  return {};
}

std::string KindTracker::as_output(const EpilogueExpression& expression,
                                   const EpilogueOutput& output) {
  const std::optional<EpilogueKind> is = kinds_[static_cast<std::size_t>(output.node)];
  if (is_d(output) && output.gather != EpilogueGather::elements)
    return "d must hold every element: another output takes " +
           std::string(gather_text(output.gather));
  if (is == EpilogueKind::bit && output.gather == EpilogueGather::elements) {
    return is_d(output) ? "d must hold numbers: another output takes bit(…)" : "";
  }
  if (is == EpilogueKind::truth)
    return "an output must be a number or bit(…): select(…, 1, 0) makes a number of a truth value";
  const std::string who = output.gather == EpilogueGather::elements
                              ? "an output"
                              : std::string(gather_text(output.gather));
  return wants(expression, output.node, EpilogueKind::number, who);
}

std::string KindTracker::as_local(int node) const {
  return kinds_[static_cast<std::size_t>(node)] == EpilogueKind::bit
             ? "bit(…) must be the whole of an output; a local needs a value"
             : "";
}

std::vector<EpilogueKind> KindTracker::kinds() const {
  std::vector<EpilogueKind> all;
  for (const std::optional<EpilogueKind>& kind : kinds_)
    all.push_back(kind.value_or(EpilogueKind::number));
  return all;
}

}  // namespace jute::epilogue

namespace jute {

std::vector<EpilogueKind> node_kinds(const EpilogueExpression& expression) {
  EpilogueExpression so_far;
  so_far.nodes.clear();
  epilogue::KindTracker tracker;
  for (const EpilogueNode& node : expression.nodes) {
    so_far.nodes.push_back(node);
    (void)tracker.take(so_far);
  }
  return tracker.kinds();
}

std::vector<EpilogueKind> input_kinds(const EpilogueExpression& expression) {
  std::vector<EpilogueKind> result(expression.inputs.size(), EpilogueKind::number);
  const std::vector<EpilogueKind> kinds = node_kinds(expression);
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (expression.nodes[i].op == EpilogueOp::input)
      result[static_cast<std::size_t>(expression.nodes[i].input)] = kinds[i];
  return result;
}

bool is_seed(const EpilogueExpression& expression, std::size_t input) {
  return input < expression.inputs.size() && input_kinds(expression)[input] == EpilogueKind::seed;
}

bool is_of_bits(const EpilogueExpression& expression, const EpilogueInput& input) {
  const int place = find_input(expression, input.name);
  return place >= 0 &&
         input_kinds(expression)[static_cast<std::size_t>(place)] == EpilogueKind::truth;
}

bool is_of_bits(const EpilogueExpression& expression, const EpilogueOutput& output) {
  const auto place = static_cast<std::size_t>(output.node);
  return place < expression.nodes.size() && expression.nodes[place].op == EpilogueOp::bit;
}

EpilogueExtent output_extent(const EpilogueExpression& expression, const EpilogueOutput& output) {
  const auto all = EpilogueExtent::elements;
  constexpr std::array kGathered{all,
                                 EpilogueExtent::scalar,
                                 EpilogueExtent::scalar,
                                 EpilogueExtent::rows,
                                 EpilogueExtent::columns,
                                 EpilogueExtent::rows,
                                 EpilogueExtent::columns};
  if (output.gather != EpilogueGather::elements)
    return kGathered[static_cast<std::size_t>(output.gather)];
  const auto op_at = [&](int place) {
    return expression.nodes[static_cast<std::size_t>(place)].op;
  };
  if (is_d(output) || op_at(output.node) == EpilogueOp::bit) return all;
  // Rows are bit 0 of an extent, columns bit 1. What is read for an element is written for one.
  constexpr unsigned kOfBlocks = 4;
  std::vector<unsigned> extents;
  for (const EpilogueNode& node : expression.nodes) {
    unsigned extent = 0;
    for (int i = 0; i < operation(node.op).arity; ++i)
      extent |= extents[static_cast<std::size_t>(node.operands[static_cast<std::size_t>(i)])];
    const bool is_read =
        node.op == EpilogueOp::input &&
        expression.inputs[static_cast<std::size_t>(node.input)].extent != EpilogueExtent::scalar;
    const bool is_sum = node.op == EpilogueOp::acc || node.op == EpilogueOp::gate;
    const bool is_drawn = node.op == EpilogueOp::stochastic;
    if (is_sum || node.op == EpilogueOp::c || is_read || is_drawn) extent = 3;
    if (node.op == EpilogueOp::block_amax) extent = kOfBlocks;
    if (node.op == EpilogueOp::a_sum) extent = 1;
    if (node.op == EpilogueOp::b_sum) extent = 2;
    extents.push_back(extent);
  }
  const unsigned extent = extents[static_cast<std::size_t>(output.node)];
  if (extent == kOfBlocks) return EpilogueExtent::blocks;
  return extent == 0 || extent > kOfBlocks ? all : static_cast<EpilogueExtent>(extent);
}

bool is_of_sums(const EpilogueExpression& expression, const EpilogueOutput& output) {
  return output.gather == EpilogueGather::elements &&
         output_extent(expression, output) != EpilogueExtent::elements &&
         output_extent(expression, output) != EpilogueExtent::blocks;
}

EpilogueExpression needed_part(EpilogueExpression part) {
  std::vector<bool> needed(part.nodes.size());
  for (const EpilogueOutput& output : part.outputs)
    needed[static_cast<std::size_t>(output.node)] = true;
  for (std::size_t node = part.nodes.size(); node-- > 0;)
    for (int i = 0; needed[node] && i < operation(part.nodes[node].op).arity; ++i)
      needed[static_cast<std::size_t>(part.nodes[node].operands[static_cast<std::size_t>(i)])] =
          true;
  std::erase_if(part.locals, [&](const EpilogueLocal& local) {
    return !needed[static_cast<std::size_t>(local.node)];
  });
  return in_order(part);
}

namespace {

EpilogueExpression part_of(const EpilogueExpression& expression, bool of_sums) {
  EpilogueExpression part = expression;
  std::erase_if(part.outputs, [&](const EpilogueOutput& output) {
    return is_of_sums(expression, output) != of_sums;
  });
  return needed_part(std::move(part));
}

}  // namespace

EpilogueExpression part_of_sums(const EpilogueExpression& expression) {
  return part_of(expression, true);
}
EpilogueExpression part_of_elements(const EpilogueExpression& expression) {
  return part_of(expression, false);
}

DType compute_type(const EpilogueExpression& expression, DType accumulate,
                   std::span<const DType> read) {
  if (accumulate == DType::f64) return DType::f64;
  const auto is_whole = [](const EpilogueNode& node) {
    const EpilogueOperation& row = operation(node.op);
    if (node.op == EpilogueOp::number)
      return std::trunc(node.number) == node.number && node.number <= 2147483647.0;
    return row.arity == 0 || row.integer != nullptr;
  };
  const bool stays = accumulate == DType::s32 && std::ranges::all_of(read, is_integer) &&
                     std::ranges::all_of(expression.nodes, is_whole);
  return stays ? DType::s32 : DType::f32;
}

}  // namespace jute
