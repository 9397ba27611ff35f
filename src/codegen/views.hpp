#pragma once
// Where a View has its elements, as a device function.
#include <jute/plan/values/plan.hpp>

#include <jute/emit/template_set.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::codegen {

/// `long long element_a(unsigned row, unsigned column, unsigned matrix)`, of the View's rows and
/// columns; -1 where zero stands for it.
[[nodiscard]] std::string element_function(const TemplateSet& templates, std::string_view operand,
                                           const View& view);

/// The first argument of such a function where a run says the View's numbers, a `NumbersA`, from
/// the parameters of a kernel that moves it: `{a_origin, {a_stride0, a_stride1}, …}`.
[[nodiscard]] std::string run_numbers(std::string_view operand, const View& view);

/// How a box is asked for.
enum class BoxWay : std::uint8_t { load, for_cluster, once, prefetch, store };

/// How a block asks for boxes of an operand's View; none where it has none.
[[nodiscard]] std::vector<BoxWay> loads_of(const OperandPlan& operand, const GemmStep& step);

/// `load_box_a` and the like: the box that begins at (inner, outer, matrix) of the operand, at its
/// place in each dimension of the View's map.
[[nodiscard]] std::string loads_of_view(const std::string& operand, const ViewMap& map,
                                        const std::vector<BoxWay>& ways);
/// `store_box_d`, `element_d` where threads store what reaches past an edge, `load_box_c`; empty
/// without Views that TMA moves through subtiles.
[[nodiscard]] std::string subtiles_of_views(const TemplateSet& templates, const GemmStep& step);
/// The functions that ask for boxes of more dimensions than matrices have.
[[nodiscard]] std::string boxes_of_more_dimensions(const GemmStep& step,
                                                   const TemplateSet& templates);

}  // namespace jute::codegen
