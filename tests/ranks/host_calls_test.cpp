// What a rank's thread asks of its GPU and of the other ranks in a run that reads summands in
// place.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/ranks/distributed_gemm.hpp>

#include "support/catch.hpp"

namespace jute::test {
namespace {

/// Counts launches and copies, and does nothing of them.
class IdleBackend final : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return emulator_->name(); }
  [[nodiscard]] ImageKind image_kind() const override { return emulator_->image_kind(); }
  [[nodiscard]] DeviceInfo device_info() const override { return emulator_->device_info(); }
  [[nodiscard]] DevicePointer alloc(Index bytes) override { return emulator_->alloc(bytes); }
  void free(DevicePointer pointer) noexcept override { emulator_->free(pointer); }
  void copy_in(DevicePointer, std::span<const std::byte>, Stream) override { ++others; }
  void copy_out(std::span<std::byte>, DevicePointer, Stream) override { ++others; }
  void fill(DevicePointer, std::uint8_t, Index, Stream) override { ++others; }
  [[nodiscard]] Kernel load(const Binary& binary) override { return emulator_->load(binary); }
  void launch(const Kernel&, const LaunchSpec&, Stream) override { ++launches; }
  void synchronize() override { ++others; }
  [[nodiscard]] Stream create_stream() override { return emulator_->create_stream(); }
  void destroy_stream(Stream stream) noexcept override { emulator_->destroy_stream(stream); }
  [[nodiscard]] Event record(Stream stream) override {
    ++others;
    return emulator_->record(stream);
  }
  [[nodiscard]] double elapsed_ms(const Event& from, const Event& to) override {
    return emulator_->elapsed_ms(from, to);
  }
  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec& spec, DevicePointer base) override {
    return emulator_->encode(spec, base);
  }

  int launches = 0, others = 0;

 private:
  std::unique_ptr<Backend> emulator_ = open_emulator({.device = device_preset("h200")});
};

class NamedWindow final : public Window {
 public:
  [[nodiscard]] DevicePointer peer(Index rank) const override {
    return own() + (static_cast<DevicePointer>(rank) << 32);
  }
  [[nodiscard]] DevicePointer own() const override { return DevicePointer{1} << 40; }
  [[nodiscard]] DevicePointer fault() const override { return 256; }
  [[nodiscard]] std::uint64_t limit_ns() const override { return 1; }
};

/// Counts what a rank asks of the others.
class CountedEnd final : public Communicator {
 public:
  [[nodiscard]] Index rank() const override { return 0; }
  [[nodiscard]] Index size() const override { return 2; }
  [[nodiscard]] std::vector<std::string> gather_texts(std::string_view,
                                                      const std::string& own) override {
    ++asked;
    return {own, own};
  }
  void poll() override {}
  void abort(const std::string&) noexcept override {}
  void exchange(const Exchange&, Stream) override { ++asked; }
  void order(Stream, Stream) override { ++asked; }
  void finish(Stream) override { ++asked; }
  void keep(Stream) override { ++kept; }
  void follow(Stream) override {}
  [[nodiscard]] std::shared_ptr<const Window> share(Index) override {
    ++asked;
    return std::make_shared<NamedWindow>();
  }

  int asked = 0, kept = 0;
};

}  // namespace

TEST_CASE("a run that reads in place is a launch a kernel, one to meet and one mark",
          "[ranks][one-shot][host]") {
  auto owned = std::make_unique<IdleBackend>();
  IdleBackend& backend = *owned;
  Context context(std::move(owned));
  for (const std::string rows : {"16", "33"}) {
    const DistributedPlan plan = make_plan(
        parse_distributed_problem("M=" + rows +
                                  " N=512 K=256 A=bf16 B=bf16:col D=bf16 alpha=1 beta=0 "
                                  "mesh=tp=2 place=A=K@tp,B=K@tp share=K@tp overlap=one-shot"),
        device_preset("h200"));
    const DistributedGemm gemm = prepare(context, plan, 0);
    DistributedArgs args;
    args.a = args.b = args.d = args.workspace = 1 << 20;
    CountedEnd end;
    gemm.run(end, args);  // makes the window
    int kernels = 0;
    for (const Plan& kernel : plan.kernels) kernels += static_cast<int>(kernel.steps.size());
    constexpr int kRuns = 3;
    backend.launches = backend.others = end.asked = end.kept = 0;
    for (int run = 0; run < kRuns; ++run) gemm.run(end, args);
    CHECK(backend.launches == kRuns * (kernels + 1));
    CHECK(backend.others == 0);
    CHECK(end.asked == 0);
    CHECK(end.kept == kRuns);
  }
}

}  // namespace jute::test
