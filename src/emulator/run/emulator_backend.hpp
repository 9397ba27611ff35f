#pragma once
// The emulator behind the Backend interface.
#include <cstdint>
#include "base/fork_gate.hpp"
#include "emulator/check/diagnostics.hpp"
#include "emulator/check/race_detector.hpp"
#include "emulator/decode/loaded_module.hpp"
#include "emulator/decode/opcode_table.hpp"
#include "emulator/decode/program.hpp"
#include "emulator/run/global_memory.hpp"
#include "emulator/run/shared_memory.hpp"
#include "emulator/run/texture.hpp"

#include <jute/emulator/emulator.hpp>

#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace jute::emulator {

/// A decoded kernel and its module, which other kernels of the same text share.
class EmulatorKernel final : public KernelImage {
 public:
  EmulatorKernel(const Binary& binary, const OpcodeTable& table,
                 std::shared_ptr<LoadedModule> module);
  [[nodiscard]] const Signature& signature() const override { return signature_; }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const LoadedModule& module() const { return *module_; }
  [[nodiscard]] const std::string& symbol() const { return symbol_; }
  /// The parameters of a launch as the PTX text declares them.
  [[nodiscard]] std::vector<std::byte> parameters(const ArgumentBlock& arguments) const;

 private:
  std::string symbol_;
  Signature signature_;
  std::vector<Index> places_;  ///< of each argument
  std::shared_ptr<LoadedModule> module_;
  Program program_;
};

class EmulatorMachine final : public EmulatorBackend {
 public:
  explicit EmulatorMachine(EmulatorOptions options);

  [[nodiscard]] std::string name() const override { return "emulator"; }
  [[nodiscard]] ImageKind image_kind() const override { return ImageKind::ptx; }
  [[nodiscard]] DeviceInfo device_info() const override { return options_.device; }
  [[nodiscard]] DevicePointer alloc(Index bytes) override;
  void free(DevicePointer pointer) noexcept override;
  void copy_in(DevicePointer target, std::span<const std::byte> source, Stream stream) override;
  void copy_out(std::span<std::byte> target, DevicePointer source, Stream stream) override;
  void fill(DevicePointer target, std::uint8_t value, Index bytes, Stream stream) override;
  void copy(DevicePointer target, DevicePointer source, Index bytes, Stream stream) override;
  [[nodiscard]] Kernel load(const Binary& binary) override;
  void launch(const Kernel& kernel, const LaunchSpec& spec, Stream stream) override;
  void synchronize() override;
  [[nodiscard]] Stream create_stream() override;
  void destroy_stream(Stream stream) noexcept override;
  [[nodiscard]] Event record(Stream stream) override;
  [[nodiscard]] double elapsed_ms(const Event& from, const Event& to) override;
  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) override;
  [[nodiscard]] Report take_report() override;
  [[nodiscard]] std::vector<LaunchProfile> take_profiles() override;
  [[nodiscard]] std::optional<DeviceVariable> find_variable(const Kernel& kernel,
                                                            std::string_view name) override;
  [[nodiscard]] std::uint64_t make_texture(const TextureSpec& spec, DevicePointer base) override;
  [[nodiscard]] DevicePointer map(std::shared_ptr<SharedMemory> memory, Index rank) override;
  void when_waiting(std::function<bool(double seconds)> keeps_waiting) override;

 private:
  void add(const Diagnostics& findings);
  void keep_for_overlap(EarlierGrid grid);
  /// throws  unknown_name: the stream is none of those that were created
  void require_stream(Stream stream) const;
  void check_written(const Allocation& allocation, DevicePointer source, size_t bytes);

  EmulatorOptions options_;
  OpcodeTable table_;
  std::shared_ptr<GlobalMemory> memory_;
  std::vector<std::weak_ptr<LoadedModule>> modules_;
  base::ForkSafe<std::mutex> mutex_;
  Report report_;
  std::vector<LaunchProfile> profiles_;
  TextureObjects textures_;
  size_t findings_thrown_ = 0;
  /// Launches that the next one may overlap: whatever else is asked for waits for their end.
  std::vector<EarlierGrid> earlier_;
  std::uint64_t last_stream_ = 0;
  std::uint64_t next_stream_ = 1;
  std::set<std::uint64_t> streams_{0};  ///< that there are; the null stream always
  std::uint64_t next_grid_ = 1;
  RankWatch ranks_;
  std::function<bool(double)> keeps_waiting_;
};

}  // namespace jute::emulator
