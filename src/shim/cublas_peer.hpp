#pragma once
// cuBLAS as what a call is measured against: opened by name, called as the recorded program called
// it.
#include <jute/base/settings.hpp>
#include <jute/shim/cublas_call.hpp>

#include <functional>
#include <memory>
#include <string>

namespace jute::shim {

/// cuBLAS and cuBLASLt of one version.
class CublasPeer {
 public:
  /// `folder`: see MeasureOptions::cublas.   throws  file_not_found
  CublasPeer(int version, const std::string& folder, const Settings& settings);
  /// "13.1.0"
  [[nodiscard]] std::string version() const;
  /// The call as a function of where it has its operands, which throws launch_failed where it
  /// fails.
  [[nodiscard]] std::function<void(const CublasAddresses&)> prepared(const CublasCall& call) const;

  struct Functions;

 private:
  std::shared_ptr<const Functions> functions_;
};

}  // namespace jute::shim
