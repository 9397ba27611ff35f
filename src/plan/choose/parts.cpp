// Plans of parts of one D, one behind the other, and their text: problems with semicolons between.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/choose/parts.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/format.hpp"
#include "plan/ask/parts/shared_element.hpp"

namespace jute {
namespace {

bool is_blank(std::string_view text, std::size_t at) {
  return at >= text.size() || text[at] == ' ' || text[at] == '\t';
}

/// Where the part ends that begins at `at`: at a semicolon that is a word, outside of quotes.
std::size_t end_of_part(std::string_view text, std::size_t at) {
  bool is_quoted = false;
  for (bool begins = true; at < text.size(); ++at) {
    if (text[at] == '"') is_quoted = !is_quoted;
    if (text[at] == ';' && !is_quoted && begins && is_blank(text, at + 1)) return at;
    begins = is_blank(text, at);
  }
  return text.size();
}

/// Behind blanks, so that a refusal says where it stands in the whole text.
Problem read_part(std::string_view text, std::size_t first, std::size_t end) {
  return parse_problem(std::string(first, ' ').append(text.substr(first, end - first)));
}

/// The properties that may not differ between parts.
Problem shared(const Problem& part) {
  Problem all = part;
  all.m = all.k = 0;
  for (Matrix* matrix : {&all.a, &all.b, &all.c, &all.d}) {
    matrix->view.reset();
    matrix->order = Order::row;
    matrix->ld_elems = matrix->batch_stride_elems = 0;
    matrix->broadcast = false;
  }
  all.m_range.reset();
  return all;
}

[[noreturn]] void refuse(std::size_t part, const Problem& problem, const std::string& rule) {
  refuse(ErrorCode::illegal_problem, base::format("part {}", part), to_string(problem), rule);
}

bool is_of_rows(EpilogueExtent extent) {
  return extent == EpilogueExtent::rows || extent == EpilogueExtent::elements;
}

/// Operands of the epilogue would be counted by the part's own rows.
bool names_rows(const Problem& part) {
  if (!part.epilogue) return false;
  const EpilogueExpression& expression = part.epilogue->expression;
  const auto is_other = [](const EpilogueOutput& output) { return !is_d(output); };
  return std::ranges::any_of(expression.outputs, is_other) ||
         std::ranges::any_of(expression.inputs,
                             [](const EpilogueInput& input) { return is_of_rows(input.extent); });
}

bool says_numbers(const Problem& part) {
  return std::ranges::any_of(
      std::array{&part.a, &part.b, &part.c, &part.d}, [](const Matrix* matrix) {
        return matrix->view && matrix->view->numbers == ViewNumbers::run_time;
      });
}

}  // namespace

std::string parts_text(std::span<const Problem> parts) {
  std::string text;
  for (const Problem& part : parts) text += (text.empty() ? "" : " ; ") + to_string(part);
  return text;
}

std::vector<Problem> parse_parts(std::string_view text) {
  std::vector<Problem> parts;
  for (std::size_t first = 0;; ++first) {
    const std::size_t end = end_of_part(text, first);
    parts.push_back(read_part(text, first, end));
    if (end == text.size()) return parts;
    first = end;
  }
}

namespace {

/// Elements that two parts write are of one of them alone.
void require_own_places(std::span<const Problem> parts) {
  std::vector<Problem> all;
  for (const Problem& part : parts) all.push_back(completed(part));
  for (std::size_t i = 1; i < all.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const plan::SharedElementSearch shared = plan::shared_element(all[i], all[j]);
      if (shared.found)
        refuse(i, parts[i],
               base::format("each element of D must be of one part, and {} of this one is element "
                            "{}, as {} of part {} is",
                            shared.found->one, shared.found->element, shared.found->other, j));
      if (shared.is_undecided)
        refuse(i, parts[i],
               base::format("each element of D must be of one part, and of Views whose modes "
                            "overlap so much as this one's and those of part {} that is not known",
                            j));
    }
}

}  // namespace

void require_parts(std::span<const Problem> parts) {
  if (parts.empty())
    refuse(ErrorCode::illegal_problem, "parts", "none", "there must be at least one problem", "1");
  if (parts.size() == 1) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Problem& part = parts[i];
    if (!(shared(part) == shared(parts.front())))
      refuse(i, part,
             "parts of one D must have the same types, alignments, factors, N, batch and epilogue");
    if (part.groups || part.a.rows || part.d.rows || part.gate)
      refuse(i, part, "parts of one D must have neither groups nor tables of rows nor gates");
    if (says_numbers(part))
      refuse(i, part, "parts of one D must have Views whose numbers are literals");
    if (part.m_range.has_value() != parts.front().m_range.has_value())
      refuse(i, part, "parts of one D must have a range of M each, or none");
    if (names_rows(part))
      refuse(i, part,
             "parts of one D must have an epilogue of D alone that names columns and scalars: each "
             "counts its own "
             "rows");
  }
  require_own_places(parts);
}

Plan make_plan_of_parts(std::span<const Problem> parts, const DeviceInfo& device,
                        const Config& config, const Catalogue& catalogue) {
  require_parts(parts);
  Plan plan = make_plan(parts.front(), device, config, catalogue);
  for (const Problem& part : parts.subspan(1))
    plan.behind.push_back(make_plan(part, device, config, catalogue));
  return plan;
}

std::vector<std::reference_wrapper<const Plan>> parts_of(const Plan& plan) {
  std::vector<std::reference_wrapper<const Plan>> parts{plan};
  for (const Plan& part : plan.behind) parts.emplace_back(part);
  return parts;
}

std::size_t step_count(const Plan& plan) {
  std::size_t count = 0;
  for (const Plan& part : parts_of(plan)) count += part.steps.size();
  return count;
}

StepOfPart step_of_part(const Plan& plan, std::size_t step) {
  StepOfPart found{0, step};
  for (const Plan& part : parts_of(plan)) {
    if (found.step < part.steps.size()) return found;
    found.step -= part.steps.size();
    ++found.part;
  }
  refuse(ErrorCode::out_of_range, "step", std::to_string(step),
         base::format("it must be below {}, as many as all parts have", step_count(plan)),
         std::to_string(step_count(plan) - 1));
}

}  // namespace jute
