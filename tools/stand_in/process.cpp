// Opens the emulator, and keeps contexts, memory and findings.
#include "process.hpp"

#include <jute/base/settings.hpp>
#include <jute/emulator/finding_line.hpp>
#include <jute/emulator/options_text.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace jute::stand_in {

using namespace jute::driver;

Process& Process::instance() {
  static Process* const process = new Process;
  return *process;
}

void Process::open() {
  const std::lock_guard lock(opening_);
  if (is_open()) return;
  const Settings settings = settings_from_environment();
  findings_path_ = settings.stand_in_findings;
  primary_.is_primary = true;
  auto backend = open_emulator(parse_emulator_options(settings.stand_in));
  device_ = backend->device_info();
  backend_ = std::move(backend);
}

bool Process::is_context(const ContextState* context) const {
  return context == &primary_ || contexts_.find(context) != nullptr;
}

ContextHandle Process::make_context(unsigned flags) {
  auto context = std::make_shared<ContextState>();
  context->flags = flags;
  return contexts_.add(std::move(context));
}

void Process::end_context(const ContextState& context) {
  const auto is_its = [&](const auto& object) { return object.context == &context; };
  modules.remove_if([&](const ModuleState& module) {
    if (!is_its(module)) return false;
    functions.remove_if([&](const FunctionState& function) { return function.module == &module; });
    return true;
  });
  streams.remove_if(is_its);
  events.remove_if(is_its);
  std::vector<DevicePointer> gone;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [begin, memory] : memory_)
      if (memory.context == &context) gone.push_back(begin);
  }
  for (const DevicePointer pointer : gone) free(pointer);
  if (context.is_primary)
    primary_.failure = kSuccess;
  else
    contexts_.remove(&context);
}

DevicePointer Process::alloc(size_t bytes, const ContextState& context) {
  const DevicePointer begin = backend().alloc(static_cast<Index>(bytes));
  const std::lock_guard lock(mutex_);
  memory_.emplace(begin, DeviceMemory{begin, bytes, &context});
  taken_ += bytes;
  return begin;
}

bool Process::free(DevicePointer pointer) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = memory_.find(pointer);
    if (found == memory_.end()) return false;
    taken_ -= found->second.bytes;
    memory_.erase(found);
  }
  backend().free(pointer);
  return true;
}

std::optional<DeviceMemory> Process::memory_at(DevicePointer address) const {
  const std::lock_guard lock(mutex_);
  const auto after = memory_.upper_bound(address);
  if (after == memory_.begin()) return std::nullopt;
  const DeviceMemory& memory = std::prev(after)->second;
  if (address - memory.begin >= memory.bytes) return std::nullopt;
  return memory;
}

size_t Process::taken_bytes() const {
  const std::lock_guard lock(mutex_);
  return taken_;
}

/// One write a line, so that those of several processes do not mix.
void Process::keep(const Finding& finding) {
  Report alone;
  alone.findings.push_back(finding);
  std::string text = to_string(alone);
  text.erase(text.rfind('\n', text.size() - 2) + 1);  // the counters
  if (findings_path_.empty()) {
    (void)std::fputs(("jute: " + text).c_str(), stderr);
    return;
  }
  const std::string line = to_line(finding) + "\n";
  const int file = ::open(findings_path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    (void)std::fputs(("jute: " + text).c_str(), stderr);
  if (file >= 0) ::close(file);
}

Status Process::take_findings() {
  const Report report = backend().take_report();
  if (!report.printed.empty()) {
    (void)std::fputs(report.printed.c_str(), stdout);
    (void)std::fflush(stdout);
  }
  Status status = kSuccess;
  for (const Finding& finding : report.findings) {
    // The first of its kind and place tells it; a loop of launches would tell it a thousand times.
    std::string key = finding.code;
    for (const Party& party : finding.parties)
      key += ' ' + party.kernel + ':' + std::to_string(party.ptx_line);
    if (finding.parties.empty()) key += finding.message;
    const std::lock_guard lock(mutex_);
    if (known_findings_.insert(std::move(key)).second) keep(finding);
    if (status == kSuccess) status = status_of_finding(finding.code);
  }
  return status;
}

std::vector<ContextHandle>& context_stack() {
  thread_local std::vector<ContextHandle> stack;
  return stack;
}

}  // namespace jute::stand_in
