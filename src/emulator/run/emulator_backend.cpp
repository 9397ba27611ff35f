// The emulator behind the Backend interface: launches run at once, findings wait for synchronize.
#include "emulator/run/emulator_backend.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "emulator/async/tensor_map.hpp"
#include "emulator/check/instruction_counter.hpp"
#include "emulator/decode/decode.hpp"
#include "emulator/ptx/parameters.hpp"
#include "emulator/run/machine.hpp"

namespace jute::emulator {
namespace {

using Clock = std::chrono::steady_clock;

struct Moment final : EventMark {
  Clock::time_point time = Clock::now();
};

constexpr size_t kMostFindings = 256;
// Launches that are taken to run side by side.
constexpr size_t kMostOverlapping = 4;

}  // namespace

EmulatorKernel::EmulatorKernel(const Binary& binary, const OpcodeTable& table,
                               std::shared_ptr<LoadedModule> module)
    : symbol_(binary.symbol), signature_(binary.signature), module_(std::move(module)) {
  const PtxFunction* entry = module_->module().find_function(binary.symbol);
  if (entry == nullptr || !entry->is_entry)
    jute::refuse(ErrorCode::unknown_name, "kernel", binary.symbol,
                 "the PTX text must define an entry of this name");
  places_ = place_arguments(declared_parameters(*entry), signature_);
  program_ = Decoder(module_->module(), table, module_->symbols()).decode(*entry);
}

std::vector<std::byte> EmulatorKernel::parameters(const ArgumentBlock& arguments) const {
  std::vector<std::byte> result(static_cast<size_t>(parameter_bytes(program_.parameters)));
  const auto given = arguments.bytes();
  for (size_t i = 0; i < places_.size(); ++i) {
    const auto bytes = static_cast<size_t>(size_bytes(signature_.parameters[i]));
    if (bytes > 0)
      std::memcpy(result.data() + places_[i], given.data() + arguments.offsets()[i], bytes);
  }
  return result;
}

EmulatorMachine::EmulatorMachine(EmulatorOptions options)
    : options_(std::move(options)),
      table_(make_opcode_table()),
      memory_(
          std::make_shared<GlobalMemory>(options_.check != Check::none, options_.memory_bytes)) {
  if (options_.device.name.empty()) options_.device = device_preset("h200");
}

DevicePointer EmulatorMachine::alloc(Index bytes) {
  const std::scoped_lock lock(mutex_);
  return memory_->alloc(bytes).begin;
}
void EmulatorMachine::free(DevicePointer pointer) noexcept {
  const std::scoped_lock lock(mutex_);
  earlier_.clear();
  ranks_.unmap(pointer);
  memory_->free(pointer);
}

DevicePointer EmulatorMachine::map(std::shared_ptr<SharedMemory> memory, Index rank) {
  const std::scoped_lock lock(mutex_);
  const DevicePointer at = memory_->map(memory->data.get(), memory->bytes).begin;
  ranks_.map(std::move(memory), at, rank);
  return at;
}
void EmulatorMachine::when_waiting(std::function<bool(double)> keeps_waiting) {
  const std::scoped_lock lock(mutex_);
  keeps_waiting_ = std::move(keeps_waiting);
}

void EmulatorMachine::copy_in(DevicePointer target, std::span<const std::byte> source,
                              Stream stream) {
  const std::scoped_lock lock(mutex_);
  require_stream(stream);
  earlier_.clear();
  const auto bytes = static_cast<Index>(source.size());
  Allocation& place = memory_->range(target, bytes, "copy");
  if (bytes == 0) return;
  std::memcpy(place.data.get() + (target - place.begin), source.data(), source.size());
  memory_->mark_defined(place, target, bytes);
}

void EmulatorMachine::copy_out(std::span<std::byte> target, DevicePointer source, Stream stream) {
  const std::scoped_lock lock(mutex_);
  require_stream(stream);
  earlier_.clear();
  const Allocation& place = memory_->range(source, static_cast<Index>(target.size()), "copy");
  if (target.empty()) return;
  std::memcpy(target.data(), place.data.get() + (source - place.begin), target.size());
  check_written(place, source, target.size());
}

// A result of which no kernel wrote a single byte is worth a word; gaps between rows are not.
void EmulatorMachine::check_written(const Allocation& allocation, DevicePointer source,
                                    size_t bytes) {
  if (allocation.defined == nullptr || !allocation.was_launched_over) return;
  const std::byte* first = allocation.defined.get() + (source - allocation.begin);
  if (std::any_of(first, first + bytes, [](std::byte b) { return b != std::byte{0}; })) return;
  Finding finding;
  finding.code = "M4";
  finding.message = base::format("{} bytes at {:#x} are copied out and no kernel wrote any of them",
                                 bytes, source);
  report_.findings.push_back(std::move(finding));
}

void EmulatorMachine::fill(DevicePointer target, std::uint8_t value, Index bytes, Stream stream) {
  const std::scoped_lock lock(mutex_);
  require_stream(stream);
  earlier_.clear();
  if (bytes <= 0) return;
  Allocation& place = memory_->range(target, bytes, "fill");
  std::memset(place.data.get() + (target - place.begin), value, static_cast<size_t>(bytes));
  memory_->mark_defined(place, target, bytes);
}

void EmulatorMachine::copy(DevicePointer target, DevicePointer source, Index bytes, Stream stream) {
  const std::scoped_lock lock(mutex_);
  require_stream(stream);
  earlier_.clear();
  if (bytes <= 0) return;
  const Allocation& from = memory_->range(source, bytes, "copy");
  Allocation& to = memory_->range(target, bytes, "copy");
  const std::uint64_t begin = source - from.begin;
  std::memmove(to.data.get() + (target - to.begin), from.data.get() + begin,
               static_cast<size_t>(bytes));
  memory_->copy_defined(to, target, from, source, bytes);
}

Kernel EmulatorMachine::load(const Binary& binary) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(modules_, [](const auto& module) { return module.expired(); });
  for (const std::weak_ptr<LoadedModule>& each : modules_)
    if (const auto module = each.lock(); module != nullptr && module->text() == binary.ptx)
      return std::make_shared<const EmulatorKernel>(binary, table_, module);
  auto module = std::make_shared<LoadedModule>(binary.ptx, memory_);
  modules_.push_back(module);
  return std::make_shared<const EmulatorKernel>(binary, table_, std::move(module));
}

std::optional<DeviceVariable> EmulatorMachine::find_variable(const Kernel& kernel,
                                                             std::string_view name) {
  const std::scoped_lock lock(mutex_);
  const auto* image = dynamic_cast<const EmulatorKernel*>(kernel.get());
  return image == nullptr ? std::nullopt : image->module().find_variable(name);
}

std::uint64_t EmulatorMachine::make_texture(const TextureSpec& spec, DevicePointer base) {
  const std::scoped_lock lock(mutex_);
  const TextureSpec whole = with_strides(spec);
  if (auto error = check(whole, base)) throw Exception(*std::move(error));
  (void)memory_->range(base, span_bytes(whole), "texture");
  return textures_.add({whole, base});
}

namespace {

void check_required(const char* operand, const char* directive, const std::array<int, 3>& required,
                    const Dim3& given) {
  const auto text = [](auto x, auto y, auto z) { return base::format("({},{},{})", x, y, z); };
  if (required[0] == 0 || given == Dim3{required[0], required[1], required[2]}) return;
  jute::refuse(ErrorCode::illegal_config, operand, text(given.x, given.y, given.z),
               base::format("{} must be what the kernel's {} says", operand, directive),
               text(required[0], required[1], required[2]));
}

}  // namespace

namespace {

/// The hardware's limits together allow grids that no program counts to the end.
void check_blocks(const Dim3& grid) {
  constexpr Index kMostBlocks = Index{1} << 32;
  if (grid.x * grid.y * grid.z <= kMostBlocks) return;
  jute::refuse(ErrorCode::unsupported, "grid", base::format("({},{},{})", grid.x, grid.y, grid.z),
               base::format("the emulator needs grids of at most {} blocks, "
                            "which it runs one after the other",
                            kMostBlocks),
               base::format("({},1,1)", grid.x));
}

/// The memory that grid.sync counts in, as long as a cooperative launch runs: its size
/// and a counter, zero at first.
class GridWorkspace {
 public:
  GridWorkspace(GlobalMemory& memory, const Program& program, const LaunchSpec& spec)
      : memory_(memory) {
    constexpr Index kBytes = 32;
    if (!program.uses_grid_workspace || spec.residency != Residency::whole_grid) return;
    Allocation& place = memory.alloc(kBytes);
    std::memset(place.data.get(), 0, kBytes);
    memory.mark_defined(place, place.begin, kBytes);
    address_ = place.begin;
  }
  GridWorkspace(const GridWorkspace&) = delete;
  GridWorkspace& operator=(const GridWorkspace&) = delete;
  ~GridWorkspace() {
    if (address_ != 0) memory_.free(address_);
  }
  [[nodiscard]] DevicePointer address() const { return address_; }

 private:
  GlobalMemory& memory_;
  DevicePointer address_ = 0;
};

/// A launch that says nothing of clusters has those that the kernel declares, as on a GPU; where
/// its blocks are clusters, the launch has counted these.
LaunchSpec with_declared_cluster(LaunchSpec spec, const Program& program) {
  const auto& declared = program.required_cluster;
  if (declared[0] == 0) return spec;
  const Dim3 cluster{declared[0], std::max(declared[1], 1), std::max(declared[2], 1)};
  if (spec.cluster == Dim3{}) spec.cluster = cluster;
  constexpr Index kMostExtent = Index{1} << 31;  // what is more is refused as it stands
  const bool is_small = std::max({spec.grid.x, spec.grid.y, spec.grid.z}) < kMostExtent;
  if (program.blocks_are_clusters && is_small)
    spec.grid = {spec.grid.x * cluster.x, spec.grid.y * cluster.y, spec.grid.z * cluster.z};
  return spec;
}

}  // namespace

void EmulatorMachine::launch(const Kernel& kernel, const LaunchSpec& given, Stream stream) {
  const std::scoped_lock lock(mutex_);
  require_stream(stream);
  const auto* image = dynamic_cast<const EmulatorKernel*>(kernel.get());
  if (image == nullptr)
    jute::refuse(ErrorCode::wrong_type, "kernel", "", "it must have been loaded by this back end");
  const Program& program = image->program();
  const LaunchSpec spec = with_declared_cluster(given, program);
  spec.arguments.check(image->signature());
  KernelLimits limits;
  limits.static_smem_bytes =
      static_cast<int>(program.static_shared_bytes - program.reserved_shared_bytes);
  if (program.max_threads[0] > 0)
    limits.max_threads_per_block =
        program.max_threads[0] * program.max_threads[1] * program.max_threads[2];
  if (auto error = check(spec, options_.device, limits)) throw Exception(*std::move(error));
  check_blocks(spec.grid);
  check_required("block", ".reqntid", program.required_threads, spec.block);
  check_required("cluster", ".reqnctapercluster", program.required_cluster, spec.cluster);
  if (spec.order != LaunchOrder::overlap_previous || stream.handle != last_stream_)
    earlier_.clear();
  last_stream_ = stream.handle;
  const std::vector<std::byte> parameters = image->parameters(spec.arguments);
  const GridWorkspace workspace(*memory_, program, spec);
  std::optional<InstructionCounter> counter;
  if (options_.profiles) counter.emplace(program);
  const LaunchContext context{program,         spec,
                              *memory_,        options_,
                              options_.device, parameters,
                              next_grid_++,    workspace.address(),
                              &earlier_,       counter ? &*counter : nullptr,
                              &textures_,      ranks_.is_on() ? &ranks_ : nullptr,
                              &keeps_waiting_};
  ranks_.begin_launch();
  Diagnostics findings(program);
  GlobalHistory history = run_grid(context, findings);
  if (counter) profiles_.push_back(counter->profile(spec, options_.device));
  memory_->mark_launched();
  add(findings);
  if (options_.check == Check::full && ranks_.is_on())
    for (Finding& finding : ranks_.end_launch(history, image->symbol()))
      if (report_.findings.size() < kMostFindings) report_.findings.push_back(std::move(finding));
  if (options_.check == Check::full)
    keep_for_overlap({kernel, &program, spec.grid, std::move(history)});
}

// A grid that released the next one behind its own wait has ended those before it.
void EmulatorMachine::keep_for_overlap(EarlierGrid grid) {
  if (!grid.history.released_early) earlier_.clear();
  if (earlier_.size() == kMostOverlapping) earlier_.erase(earlier_.begin());
  grid.history.publications.clear();
  earlier_.push_back(std::move(grid));
}

void EmulatorMachine::add(const Diagnostics& findings) {
  for (Finding& finding : findings.findings())
    if (report_.findings.size() < kMostFindings) report_.findings.push_back(std::move(finding));
  report_.printed += findings.printed();
  Counters& sum = report_.counters;
  const Counters& more = findings.counters;
  sum.warp_instructions += more.warp_instructions;
  sum.smem_accesses += more.smem_accesses;
  sum.smem_bank_conflicts += more.smem_bank_conflicts;
  sum.global_bytes_read += more.global_bytes_read;
  sum.global_bytes_written += more.global_bytes_written;
}

// Each finding is thrown once and stays in the report.
void EmulatorMachine::synchronize() {
  const std::scoped_lock lock(mutex_);
  earlier_.clear();
  if (report_.findings.size() <= findings_thrown_) return;
  const size_t fresh = report_.findings.size() - findings_thrown_;
  const Finding& first = report_.findings[findings_thrown_];
  findings_thrown_ = report_.findings.size();
  throw Exception({.code = ErrorCode::check_failed,
                   .operand = "emulator",
                   .value = base::format("{} finding{}", fresh, fresh == 1 ? "" : "s"),
                   .violated_rules = {first.code + ": " + first.message},
                   .detail = to_string(report_)});
}

Report EmulatorMachine::take_report() {
  const std::scoped_lock lock(mutex_);
  findings_thrown_ = 0;
  return std::exchange(report_, Report{});
}

std::vector<LaunchProfile> EmulatorMachine::take_profiles() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(profiles_, {});
}

Stream EmulatorMachine::create_stream() {
  const std::scoped_lock lock(mutex_);
  streams_.insert(next_stream_);
  return {next_stream_++};
}
void EmulatorMachine::destroy_stream(Stream stream) noexcept {
  const std::scoped_lock lock(mutex_);
  if (stream != Stream{}) streams_.erase(stream.handle);
}
void EmulatorMachine::require_stream(Stream stream) const {
  if (streams_.contains(stream.handle)) return;
  jute::refuse(ErrorCode::unknown_name, "stream", std::to_string(stream.handle),
               "it must be the null stream or one that this back end's "
               "create_stream made and nobody destroyed",
               "0");
}

Event EmulatorMachine::record(Stream stream) {
  const std::scoped_lock lock(mutex_);
  require_stream(stream);
  return std::make_shared<const Moment>();
}

double EmulatorMachine::elapsed_ms(const Event& from, const Event& to) {
  const auto* first = dynamic_cast<const Moment*>(from.get());
  const auto* last = dynamic_cast<const Moment*>(to.get());
  if (first == nullptr || last == nullptr)
    jute::refuse(ErrorCode::wrong_type, "event", "", "it must have been recorded by this back end");
  return std::chrono::duration<double, std::milli>(last->time - first->time).count();
}

EncodedTensorMap EmulatorMachine::encode(const TensorMapSpec& spec, DevicePointer base) {
  return encode_tensor_map(spec, base);
}

}  // namespace jute::emulator

namespace jute {

std::unique_ptr<EmulatorBackend> open_emulator(const EmulatorOptions& options) {
  return std::make_unique<emulator::EmulatorMachine>(options);
}

}  // namespace jute
