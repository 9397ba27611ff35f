#pragma once
// A loaded kernel: one module with one function.
#include <jute/launch/backend.hpp>

#include <memory>

#include "device/context.hpp"

namespace jute::device {

class DeviceKernel final : public KernelImage {
 public:
  /// Loads the cubin; the PTX when there is no cubin, or none for this GPU. The kernel may then use
  /// all the dynamic shared memory that the device gives a block.
  ///   throws  driver_failed: `detail` holds the driver's compile log; signature_mismatch: the
  ///           loaded kernel takes other parameters than the binary says
  DeviceKernel(std::shared_ptr<const DriverContext> context, const Binary& binary);
  ~DeviceKernel() override;
  DeviceKernel(const DeviceKernel&) = delete;
  DeviceKernel& operator=(const DeviceKernel&) = delete;

  [[nodiscard]] const Signature& signature() const override { return signature_; }
  /// throws  signature_mismatch, illegal_config, driver_failed
  void launch(const LaunchSpec& spec, Stream stream) const;
  [[nodiscard]] const DriverContext& context() const { return *context_; }

 private:
  void load(const Binary& binary);
  void find_function(const std::string& symbol);
  void check_parameters(const std::string& symbol) const;
  void unload() noexcept;

  std::shared_ptr<const DriverContext> context_;
  Signature signature_;
  std::vector<int> offsets_;  ///< of each parameter in an ArgumentBlock
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
  KernelLimits limits_;
};

}  // namespace jute::device
