#pragma once
// Choosing atoms by --form.
#include <jute/atom/catalogue.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::command {

[[nodiscard]] std::string_view kind_name(AtomKind kind);

/// The atoms of a form (mma, wgmma_ss, ldmatrix, …) or kind (mma, copy); an empty `form` keeps all.
///   throws  unknown_name: no atom of `catalogue` is of that form
[[nodiscard]] std::vector<AtomSummary> of_form(const std::string& form,
                                               std::vector<AtomSummary> atoms,
                                               const Catalogue& catalogue);

}  // namespace jute::command
