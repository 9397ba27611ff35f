#pragma once
// The texts that kernels are made of.
#include <jute/base/export.hpp>

#include <map>
#include <string>

namespace JUTE_API jute {

/// Pieces of kernels by name: the path of a file ("kernel/raster.cu"), or of one of several in it
/// ("specialised/subtile_c.cu (next)"). The built-in ones are embedded at build time.
class TemplateSet {
 public:
  [[nodiscard]] static TemplateSet built_in();
  /// The built-in set with the pieces of a directory's files laid over it.
  ///   throws  file_not_found; illegal_template: a file that cannot be read
  [[nodiscard]] static TemplateSet from_directory(const std::string& directory);
  /// throws  illegal_template: no such piece
  [[nodiscard]] const std::string& text(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, std::string>& pieces() const { return pieces_; }

 private:
  std::map<std::string, std::string> pieces_;
};

}  // namespace jute
