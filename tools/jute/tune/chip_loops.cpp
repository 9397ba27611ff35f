// Runs loops, and divides what they did by the clocks that their blocks noted.
#include "tune/chip_loops.hpp"

#include <jute/jit/compile.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <ctime>
#include <span>

namespace jute::tuning {

extern const char kChipLoopsText[];  // chip_loops.cu; the build writes its definition

namespace {

constexpr int kLoopThreads = 1024;
constexpr int kStepsOfRound = 256;  // of chains_…, for a thread
constexpr double kChunkBytes = 16;  // bytes

/// Where loops write: clocks of blocks, and what no run writes.
class LoopMemory {
 public:
  LoopMemory(Backend& backend, int blocks)
      : backend_(backend),
        clocks_(backend, Index{blocks} * Index{sizeof(std::uint64_t)}),
        sink_(backend, sizeof(unsigned)),
        count_(static_cast<size_t>(blocks)) {}
  [[nodiscard]] DevicePointer clocks() const { return clocks_.pointer(); }
  [[nodiscard]] DevicePointer sink() const { return sink_.pointer(); }
  /// The middle one of the blocks'.
  [[nodiscard]] double median() const {
    std::vector<std::uint64_t> all(count_);
    backend_.synchronize();
    backend_.copy_out(std::as_writable_bytes(std::span(all)), clocks_.pointer());
    const auto middle = all.begin() + std::ssize(all) / 2;
    std::ranges::nth_element(all, middle);
    return std::max(static_cast<double>(*middle), 1.0);
  }

 private:
  Backend& backend_;
  Buffer clocks_, sink_;
  size_t count_;
};

class Loops {
 public:
  Loops(Backend& backend, const Settings& settings, const LoopSize& size)
      : backend_(backend),
        settings_(settings),
        rounds_(size.rounds),
        blocks_(size.blocks > 0 ? size.blocks : backend.device_info().sm_count),
        memory_(backend, blocks_) {}

  /// Multiply-adds of a block's SM in a clock.
  [[nodiscard]] double products(const MmaAtom& atom) const {
    const ProductLoop loop = product_loop(atom, backend_.device_info().arch);
    const Kernel kernel =
        backend_.load(Compiler(settings_).compile(loop.source, Output::ptx_and_cubin));
    LaunchSpec spec = spec_of(loop.threads);
    spec.arguments.pointer(memory_.clocks()).pointer(memory_.sink()).i32(rounds_);
    return loop.multiply_adds * rounds_ / clocks_of(kernel, spec);
  }
  /// Steps of an SM in a clock, by a kernel that does so much for a thread in a round.
  [[nodiscard]] double steps(const char* symbol, double each) const {
    const Kernel kernel =
        loop_kernel(backend_, settings_, symbol, "(i32 rounds, pointer clocks, pointer sink)");
    LaunchSpec spec = spec_of(kLoopThreads);
    spec.arguments.i32(rounds_).pointer(memory_.clocks()).pointer(memory_.sink());
    return each * kLoopThreads * rounds_ / clocks_of(kernel, spec);
  }
  /// Bytes of the L2 cache: of lines that one block reads, or of such that all do.
  [[nodiscard]] double cached(bool is_same) const {
    const DeviceInfo device = backend_.device_info();
    constexpr Index kLeast = 4 * kLoopThreads;
    // Half the cache: what fills it is thrown out by turns.
    const Index fitting = device.l2_bytes / 2 / Index{16} / blocks_ / kLeast * kLeast;
    const Index chunks = std::clamp(fitting, kLeast, 2 * kLeast);
    const Buffer source(backend_, chunks * Index{16} * blocks_);
    backend_.fill(source.pointer(), 0, source.size_bytes());
    const Kernel kernel = loop_kernel(
        backend_, settings_, "read_chunks",
        "(pointer source, i64 chunks, i64 stride, i32 rounds, pointer clocks, pointer sink)");
    const int rounds = std::max(rounds_ / 50, 1);
    LaunchSpec spec = spec_of(kLoopThreads);
    spec.arguments.pointer(source.pointer()).i64(chunks).i64(is_same ? 0 : chunks).i32(rounds);
    spec.arguments.pointer(memory_.clocks()).pointer(memory_.sink());
    return kChunkBytes * static_cast<double>(chunks) * rounds / clocks_of(kernel, spec);
  }

 private:
  [[nodiscard]] LaunchSpec spec_of(int threads) const {
    LaunchSpec spec;
    spec.grid.x = blocks_;
    spec.block.x = threads;
    return spec;
  }
  /// The second of two launches is timed: the first one finds caches empty.
  [[nodiscard]] double clocks_of(const Kernel& kernel, const LaunchSpec& spec) const {
    for (int i = 0; i < 2; ++i) backend_.launch(kernel, spec);
    return memory_.median();
  }

  Backend& backend_;
  const Settings& settings_;
  int rounds_, blocks_;
  LoopMemory memory_;
};

}  // namespace

Kernel loop_kernel(Backend& backend, const Settings& settings, const char* symbol,
                   const char* signature) {
  Source source;
  source.symbol = symbol;
  source.text = kChipLoopsText;
  source.arch = backend.device_info().arch;
  source.signature = parse_signature(signature);
  source.threads_per_block = kLoopThreads;
  return backend.load(Compiler(settings).compile(source, Output::ptx_and_cubin));
}

std::string measured_today(const std::string& how) {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  (void)::gmtime_r(&now, &parts);
  char date[16];
  (void)std::strftime(date, sizeof date, "%Y-%m-%d", &parts);
  return "measured " + std::string(date) + ": " + how;
}

std::vector<OwnFigure> figures_by_loops(Backend& backend, const Settings& settings,
                                        const Catalogue& catalogue, const LoopSize& size) {
  const Loops loops(backend, settings, size);
  const Arch arch = backend.device_info().arch;
  std::vector<OwnFigure> found;
  const auto put = [&](std::string name, double value, const std::string& how) {
    found.push_back({std::move(name), value, measured_today(how)});
  };
  put("l2_bytes", loops.cached(false), "loops that read lines of their own past the L1 cache");
  put("l2_same_bytes", loops.cached(true), "loops of all SMs that read the same lines");
  put("smem_bytes", loops.steps("read_shared", 8 * kChunkBytes),
      "loops that read 16 bytes a thread");
  put("special_functions", loops.steps("chains_powers", kStepsOfRound), "loops of ex2.approx");
  for (const NamedFigure& one : figures(ChipFigures{}))
    if (const auto atom = atom_of_figure(one.name, arch, catalogue))
      put(std::string(one.name), loops.products(*atom), "loops of " + atom->name);
  put("thread_singles", loops.steps("chains_singles", kStepsOfRound), "loops of fma.rn.f32");
  put("thread_doubles", loops.steps("chains_doubles", kStepsOfRound), "loops of fma.rn.f64");
  put("thread_integers", loops.steps("chains_integers", kStepsOfRound), "loops of mad.lo.u32");
  return found;
}

}  // namespace jute::tuning
