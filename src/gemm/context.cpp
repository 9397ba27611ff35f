// Opening the back end that was asked for, and keeping what a program prepares.
#include "gemm/context_impl.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/device/device.hpp>
#include <jute/jit/device_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem_class.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <utility>

#include "base/format.hpp"

#ifndef JUTE_WITHOUT_EMULATOR
#include <jute/emulator/emulator.hpp>
#endif

namespace jute {
namespace gemm {
namespace {

constexpr size_t kMostPrepared = 4096;

constexpr std::pair<std::string_view, DeviceChoice> kChoices[] = {
    {"auto", DeviceChoice::automatic},
    {"cuda", DeviceChoice::cuda},
    {"emulator", DeviceChoice::emulator}};

#ifdef JUTE_WITHOUT_EMULATOR
std::unique_ptr<Backend> open_emulator_for(const Settings& /*settings*/) {
  jute::refuse(ErrorCode::no_gpu, "device", "emulator",
               "jute must be built with JUTE_WITH_EMULATOR=ON for this");
}
#else
std::unique_ptr<Backend> open_emulator_for(const Settings& settings) {
  EmulatorOptions options;
  if (!settings.arch.empty()) options.device = preset_for(parse_arch(settings.arch));
  return open_emulator(options);
}
#endif

std::unique_ptr<Backend> open(const ContextOptions& options) {
  DeviceChoice choice = options.device;
  if (choice == DeviceChoice::automatic && !options.settings.device.empty())
    choice = parse_device_choice(options.settings.device);
  if (choice == DeviceChoice::emulator) return open_emulator_for(options.settings);
  try {
    return open_device();
  } catch (const Exception& exception) {
    if (choice == DeviceChoice::cuda || exception.error().code != ErrorCode::no_gpu) throw;
  }
  return open_emulator_for(options.settings);
}

std::shared_ptr<Backend> required(std::shared_ptr<Backend> backend) {
  if (backend) return backend;
  jute::refuse(ErrorCode::wrong_type, "backend", "null",
               "a back end must be open: open_device, open_emulator");
}

/// An amount that a device must have of, at least, what a chip has that is planned for in its
/// place.
struct ChipAmount {
  const char* what;
  int DeviceInfo::*value;
};
constexpr ChipAmount kChipAmounts[] = {
    {"SMs", &DeviceInfo::sm_count},
    {"bytes of shared memory of a block", &DeviceInfo::smem_bytes_per_block},
    {"bytes of shared memory of an SM", &DeviceInfo::smem_bytes_per_sm},
    {"registers of an SM", &DeviceInfo::registers_per_sm},
    {"threads of an SM", &DeviceInfo::threads_per_sm}};

void require_room(const DeviceInfo& chip, const DeviceInfo& device) {
  std::vector<std::string> rules;
  if (!provides(device.arch, chip.arch))
    rules.push_back(base::format("{} must be code that the device runs, {}", to_string(chip.arch),
                                 to_string(device.arch)));
  for (const auto& [what, value] : kChipAmounts)
    if (chip.*value > device.*value)
      rules.push_back(base::format("its {} {} must be at most the device's, {}", chip.*value, what,
                                   device.*value));
  if (rules.empty()) return;
  throw Exception({.code = ErrorCode::illegal_config,
                   .operand = "chip",
                   .value = chip.name,
                   .violated_rules = std::move(rules),
                   .nearest_legal = device.name});
}

/// The chip that a Context plans for.
KnownChip chip_of(const ContextOptions& options, const DeviceInfo& device) {
  if (!options.chip) return known_chip(options.settings, device);
  require_room(*options.chip, device);
  return {*options.chip, {}};
}

bool uses_tuned(const Settings& settings) {
  return settings.tuned != "off" && settings.tuned != "0";
}

TemplateSet templates_of(const ContextOptions& options) {
  if (options.templates) return *options.templates;
  const std::string& directory = options.settings.template_dir;
  return directory.empty() ? TemplateSet::built_in() : TemplateSet::from_directory(directory);
}

}  // namespace

std::shared_ptr<const PreparedGemm> PreparedGemms::find(const Problem& problem,
                                                        const Config& config) const {
  const std::string key = to_string(problem);
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  for (const Entry& entry : found->second)
    if (entry.problem == problem && entry.config == config) return entry.prepared;
  return nullptr;
}

void PreparedGemms::keep(const Problem& problem, const Config& config,
                         std::shared_ptr<const PreparedGemm> prepared) {
  std::string key = to_string(problem);
  const std::lock_guard lock(mutex_);
  if (count_ == kMostPrepared) entries_.clear();
  count_ = count_ % kMostPrepared + 1;
  entries_[std::move(key)].push_back({problem, config, std::move(prepared)});
}

void PreparedGemms::forget() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
  count_ = 0;
}

namespace {

/// The class of a problem where the caller makes these choices.
std::string class_of(const Problem& problem, const Config& asked) {
  Config others = asked;
  others.launches.reset();
  std::string text = problem_class(problem, asked.launches.value_or(Launches::behind_others));
  return others == Config() ? text : text + " choices: " + to_string(others);
}

}  // namespace

TunedChoices::TunedChoices(const Settings& settings, const DeviceInfo& device)
    : is_used_(uses_tuned(settings)),
      file_(settings, device),
      table_(is_used_ ? file_.load() : TunedTable{}) {}

std::optional<Config> TunedChoices::find(const Problem& problem, const Config& asked) const {
  const std::lock_guard lock(mutex_);
  if (table_.choices.empty() || problem.m_range) return std::nullopt;
  const auto found = table_.choices.find(class_of(problem, asked));
  if (found == table_.choices.end()) return std::nullopt;
  try {
    return parse_config(found->second);
  } catch (const Exception&) {
    return std::nullopt;  // by the words of another jute
  }
}

std::string TunedChoices::keep(const Problem& problem, const Config& asked, const Config& best) {
  const std::string of = class_of(problem, asked), choices = to_string(best);
  const std::lock_guard lock(mutex_);
  if (!file_.path().empty()) file_.keep(of, choices);
  if (is_used_) table_.choices[of] = choices;
  return file_.path();
}

}  // namespace gemm

KnownChip known_chip(const Settings& settings, DeviceInfo device) {
  if (!gemm::uses_tuned(settings)) return {std::move(device), {}};
  const KeptText kept = DeviceFile(settings, kChipFolder, device).read();
  if (!kept.text) return {std::move(device), kept.fault};
  try {
    ChipTables tables = parse_chip_tables(*kept.text, device);
    return {with_tables(std::move(device), std::move(tables)), {}};
  } catch (const Exception& refused) {
    return {std::move(device), joined(refused.error().violated_rules, "; ")};
  }
}

DeviceChoice parse_device_choice(std::string_view text) {
  std::vector<std::string> names;
  for (const auto& [name, choice] : gemm::kChoices) {
    if (name == text) return choice;
    names.emplace_back(name);
  }
  jute::refuse(ErrorCode::unknown_name, "device", std::string(text),
               "a device must be one of: " + joined(names), nearest_name(text, names));
}

Context::Impl::Impl(std::shared_ptr<Backend> opened, const ContextOptions& options)
    : backend(gemm::required(std::move(opened))),
      known(gemm::chip_of(options, backend->device_info())),
      device(known.device),
      catalogue(std::make_shared<const Catalogue>(options.catalogue)),
      templates(gemm::templates_of(options)),
      kernels(backend, options.settings),
      served(options.settings),
      overlaps(options.settings.pdl != "off" && options.settings.pdl != "0"),
      tuned(options.settings, device) {}

Context::Context(const ContextOptions& options) : Context(gemm::open(options), options) {}
Context::Context(std::unique_ptr<Backend> backend, const ContextOptions& options)
    : impl_(std::make_unique<Impl>(std::move(backend), options)) {}
Context::~Context() = default;
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;

Backend& Context::backend() const { return *impl_->backend; }
const Catalogue& Context::catalogue() const { return *impl_->catalogue; }
const TemplateSet& Context::templates() const { return impl_->templates; }
Kernel Context::load(const Source& source) const {
  PrepareTimes times;
  return impl_->kernels.find_or_compile(source, times)->kernel;
}
const DeviceInfo& Context::device_info() const { return impl_->device; }
const std::string& Context::chip_fault() const { return impl_->known.fault; }
const std::string& Context::tuned_fault() const { return impl_->tuned.fault(); }
std::string Context::keep_choices(const Problem& problem, const Config& asked,
                                  const Config& best) const {
  std::string path = impl_->tuned.keep(problem, asked, best);
  impl_->prepared.forget();
  return path;
}
int Context::compile_count() const { return impl_->kernels.compile_count(); }

}  // namespace jute
