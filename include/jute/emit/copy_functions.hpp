#pragma once
// The copies of kernels as device functions, each an instruction by the one emitter.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/emit/template_set.hpp>

#include <optional>
#include <set>
#include <string>

namespace JUTE_API jute {

/// `ldmatrix_a(reg, row)`: a matrix load of a fragment of A, B. With `bytes`, byte of the
/// fragment's registers -> byte of those that the load fills, they are permuted.
[[nodiscard]] std::string fragment_load(const CopyAtom& atom, const std::string& lower,
                                        const std::string& upper,
                                        const std::optional<Layout>& bytes,
                                        const TemplateSet& templates);

/// An element type and `to_compute` of it, as the chip converts.
[[nodiscard]] std::string element_type(const TemplateSet& templates, DType type, Arch arch);

/// `from_compute`: what makes values that are computed in a type into those that are stored, as the
/// chip converts.
[[nodiscard]] std::string conversions(const TemplateSet& templates, std::set<DType> stored,
                                      DType compute, Arch arch);

/// The same of integers that are gathered in 64 bits.
[[nodiscard]] std::string whole_conversions(const TemplateSet& templates,
                                            const std::set<DType>& stored);

/// `load_matrix(part, row)` and `store_matrix(row, registers)`: of subtiles.
[[nodiscard]] std::string subtile_load(const CopyAtom& atom, const TemplateSet& templates);
[[nodiscard]] std::string subtile_store(const CopyAtom& atom, const TemplateSet& templates);

/// `copy_async<elements>(target, source, valid)`, and its groups. Copies of 16 bytes pass by the L1
/// cache and fetch a line of L2; shorter ones go through it.
[[nodiscard]] std::string async_copies(const TemplateSet& templates);

}  // namespace jute
