#pragma once
// The texts that kernels are made of.
#include <jute/base/export.hpp>

#include <map>
#include <string>

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

}  // namespace jute
