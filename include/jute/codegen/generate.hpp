#pragma once
// Plan -> CUDA source.
#include <jute/base/export.hpp>
#include <jute/launch/source.hpp>
#include <jute/plan/plan.hpp>

#include <map>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// Kernel templates by path ("kernel/smem_gemm.cu"). The built-in ones are embedded at build time.
class TemplateSet {
 public:
  [[nodiscard]] static TemplateSet built_in();
  /// The built-in set with the files of a directory laid over it.
  ///   throws  file_not_found; illegal_template: a file that cannot be read
  [[nodiscard]] static TemplateSet from_directory(const std::string& directory);
  /// throws  illegal_template: no such path
  [[nodiscard]] const std::string& text(const std::string& path) const;
  [[nodiscard]] const std::map<std::string, std::string>& files() const { return files_; }

 private:
  std::map<std::string, std::string> files_;
};

/// One header-free CUDA text with its typed signature for every step of the plan, in order. The
/// same plan gives the same bytes.
///   throws  illegal_template: a hole is unknown or stays open
[[nodiscard]] std::vector<Source> generate(const Plan& plan,
                                           const TemplateSet& templates = TemplateSet::built_in());

}  // namespace jute
