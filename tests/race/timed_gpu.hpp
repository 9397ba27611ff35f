#pragma once
// A GPU whose kernels take what a test says: the emulator runs them, and a clock of its own counts.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace jute::test {

class TimedGpu final : public Backend {
 public:
  /// Milliseconds of each kernel, by when it was launched first; the last one's of all further.
  explicit TimedGpu(std::vector<double> ms, Index free = Index{1} << 40)
      : emulator_(open_emulator({.device = device_preset("h200")})),
        ms_(std::move(ms)),
        free_(free) {}

  [[nodiscard]] std::string name() const override { return "cuda"; }
  [[nodiscard]] ImageKind image_kind() const override { return ImageKind::ptx; }
  [[nodiscard]] DeviceInfo device_info() const override { return emulator_->device_info(); }
  [[nodiscard]] DevicePointer alloc(Index bytes) override { return emulator_->alloc(bytes); }
  void free(DevicePointer pointer) noexcept override { emulator_->free(pointer); }
  [[nodiscard]] Index free_bytes() const override { return free_; }
  void copy_in(DevicePointer target, std::span<const std::byte> source, Stream stream) override {
    if (source.size() < 4096) last_small_.assign(source.begin(), source.end());
    emulator_->copy_in(target, source, stream);
  }
  void copy_out(std::span<std::byte> target, DevicePointer source, Stream stream) override {
    emulator_->copy_out(target, source, stream);
  }
  void fill(DevicePointer target, std::uint8_t value, Index bytes, Stream stream) override {
    emulator_->fill(target, value, bytes, stream);
  }
  [[nodiscard]] Kernel load(const Binary& binary) override { return emulator_->load(binary); }
  void launch(const Kernel& kernel, const LaunchSpec& spec, Stream stream) override {
    auto& [place, count] = launched_.try_emplace(kernel.get(), launched_.size(), 0).first->second;
    ++count;
    now_ms_ += ms_[std::min(place, ms_.size() - 1)];
    if (count == 1) emulator_->launch(kernel, spec, stream);  // once is enough to see it run
  }
  void synchronize() override { emulator_->synchronize(); }
  [[nodiscard]] Stream create_stream() override { return emulator_->create_stream(); }
  void destroy_stream(Stream stream) noexcept override { emulator_->destroy_stream(stream); }
  [[nodiscard]] Event record(Stream) override { return std::make_shared<Moment>(now_ms_); }
  [[nodiscard]] double elapsed_ms(const Event& from, const Event& to) override {
    return static_cast<const Moment&>(*to).ms - static_cast<const Moment&>(*from).ms;
  }
  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) override {
    return emulator_->encode(spec, base);
  }

  /// How often each kernel ran, by when it was launched first.
  [[nodiscard]] std::vector<int> launches() const {
    std::vector<int> counts(launched_.size());
    for (const auto& [kernel, row] : launched_) counts[row.first] = row.second;
    return counts;
  }
  /// The last few bytes that came from the host.
  [[nodiscard]] const std::vector<std::byte>& last_small() const { return last_small_; }

 private:
  struct Moment : EventMark {
    explicit Moment(double at) : ms(at) {}
    double ms;
  };

  std::unique_ptr<EmulatorBackend> emulator_;
  std::vector<double> ms_;
  Index free_;
  double now_ms_ = 0;
  std::map<const KernelImage*, std::pair<std::size_t, int>> launched_;
  std::vector<std::byte> last_small_;
};

}  // namespace jute::test
