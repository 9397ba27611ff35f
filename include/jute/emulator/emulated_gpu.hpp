#pragma once
// Kernels under test without a GPU: memory, launches and what the checks found, in a few words.
//
//   jute::EmulatedGpu gpu;
//   const auto x = gpu.array<float>({1, 2, 3});
//   gpu.kernel(ptx, "scale").launch({.block = {32}}, {x, 2.0F, 3});
//   CHECK(x.to_host() == std::vector<float>{2, 4, 6});
//   CHECK(to_string(gpu.findings()) == "");
#include <jute/base/export.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>
#include <jute/launch/backend.hpp>

#include <concepts>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace JUTE_API jute {

/// Elements in the memory of an EmulatedGpu, which must outlive them. Moves, never copies.
template <class T>
class GpuArray {
  static_assert(std::is_trivially_copyable_v<T> && !std::same_as<T, bool>);

 public:
  GpuArray(Backend& backend, size_t count)
      : backend_(&backend), memory_(backend, static_cast<Index>(count * sizeof(T))), size_(count) {}

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] DevicePointer pointer() const { return memory_.pointer(); }
  /// The first elements; the rest stays what it is.
  ///   throws  out_of_range: more values than elements
  void set(std::span<const T> values) const { backend_->copy_in(pointer(), std::as_bytes(values)); }
  [[nodiscard]] std::vector<T> to_host() const {
    std::vector<T> values(size_);
    backend_->copy_out(std::as_writable_bytes(std::span(values)), pointer());
    return values;
  }

 private:
  Backend* backend_;
  Buffer memory_;
  size_t size_;
};

/// One argument of a launch: an array, nullptr, a number, a tensor map, or a structure as CUDA code
/// has it. Its size must be its parameter's.
class KernelArgument {
 public:
  template <class T>
  KernelArgument(const GpuArray<T>& array) : KernelArgument(array.pointer()) {}
  KernelArgument(std::nullptr_t /*null*/) : KernelArgument(DevicePointer{0}) {}
  template <class T>
  requires std::is_trivially_copyable_v<T> &&(!std::is_pointer_v<T>)KernelArgument(const T& value)
      : bytes_(sizeof value),
        is_floating_(std::is_floating_point_v<T>),
        is_number_(std::is_arithmetic_v<T>) {
    std::memcpy(bytes_.data(), &value, sizeof value);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
  [[nodiscard]] bool is_floating() const { return is_floating_; }
  [[nodiscard]] bool is_number() const { return is_number_; }

 private:
  std::vector<std::byte> bytes_;
  bool is_floating_ = false, is_number_ = false;
};

/// A launch packed parameter by parameter, each filled by bytes of exactly its size.
///   throws  signature_mismatch: the count or a size differs; names the parameter and both sizes
[[nodiscard]] ArgumentBlock packed_arguments(const PtxKernel& kernel,
                                             std::span<const std::vector<std::byte>> values);

struct LaunchShape {
  Dim3 grid = {};
  Dim3 block = {};
  Dim3 cluster = {};
  Index dynamic_smem_bytes = 0;
  LaunchOrder order = LaunchOrder::after_previous;
  Residency residency = Residency::any;
};

/// A loaded kernel. Cheap to copy; the EmulatedGpu must outlive it.
class EmulatedKernel {
 public:
  /// The kernel as the PTX declares it.
  [[nodiscard]] const PtxKernel& declared() const { return *declared_; }
  /// Runs at once; findings wait for EmulatedGpu::findings.
  ///   throws  signature_mismatch: an argument does not fit its parameter; illegal_config
  void launch(const LaunchShape& shape, std::initializer_list<KernelArgument> arguments) const;

 private:
  friend class EmulatedGpu;
  EmulatorBackend* backend_ = nullptr;
  Kernel kernel_;
  std::shared_ptr<const PtxKernel> declared_;
};

/// An emulator with all checks on, unless the options say less.
class EmulatedGpu {
 public:
  EmulatedGpu();
  explicit EmulatedGpu(const EmulatorOptions& options);

  template <class T>
  [[nodiscard]] GpuArray<T> array(std::initializer_list<T> values) {
    return array(std::span<const T>(values.begin(), values.size()));
  }
  template <class T>
  [[nodiscard]] GpuArray<T> array(const std::vector<T>& values) {
    return array(std::span<const T>(values));
  }
  template <class T>
  [[nodiscard]] GpuArray<T> array(std::span<const T> values) {
    GpuArray<T> made(*backend_, values.size());
    made.set(values);
    return made;
  }
  /// Memory that was never written: a kernel that uses it is found out.
  template <class T>
  [[nodiscard]] GpuArray<T> unset_array(size_t count) {
    return GpuArray<T>(*backend_, count);
  }

  /// `name` is a symbol, a C++ name or a unique short one, as find_kernel takes it; empty: the only
  /// kernel of the text. CUDA text becomes PTX by Compiler::ptx.
  ///   throws  unknown_name, bad_file
  [[nodiscard]] EmulatedKernel kernel(std::string_view ptx, std::string_view name = {});
  /// The findings since the last call, which empties them.
  [[nodiscard]] std::vector<Finding> findings();
  [[nodiscard]] EmulatorBackend& backend() { return *backend_; }

 private:
  std::unique_ptr<EmulatorBackend> backend_;
};

/// One paragraph a finding; empty where there is none.
[[nodiscard]] std::string to_string(const std::vector<Finding>& findings);

}  // namespace jute
