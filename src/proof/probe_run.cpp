// Compiles a probe, launches one block for each pass and fetches what the blocks wrote.
#include "proof/probe_run.hpp"

#include "base/format.hpp"

#include <algorithm>

namespace jute::proof {
namespace {

/// How often a pass has the buffer's words: what a cluster writes it writes in each block.
Index units(const Probe& probe, const ProbeBuffer& buffer) {
  const bool written = &buffer == &probe.buffers.back();
  return (buffer.per_thread ? probe.source.threads_per_block : 1) * (written ? probe.blocks : 1);
}

EncodedTensorMap encoded(Backend& backend, const ProbeTensor& tensor, Index passes,
                         DevicePointer base) {
  const Index row_bytes = tensor.inner * width_bytes(tensor.type);
  return backend.encode({.type = tensor.type,
                         .dims = {tensor.inner, tensor.outer * passes},
                         .strides_bytes = {row_bytes},
                         .box = {tensor.inner, tensor.outer},
                         .element_strides = {1, 1},
                         .swizzle = tensor.swizzle},
                        base);
}

void execute(Backend& backend, const Kernel& kernel, const Probe& probe, ProbeData& data) {
  std::vector<Buffer> memory;
  LaunchSpec spec;
  for (const auto& bytes : data.buffers) {
    memory.emplace_back(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(memory.back().pointer(), bytes);
    spec.arguments.pointer(memory.back().pointer());
  }
  if (probe.tensor)
    spec.arguments.tensor_map(encoded(backend, *probe.tensor, data.passes,
                                      memory[index_of(probe, probe.tensor->buffer)].pointer()));
  spec.grid.x = data.passes * probe.blocks;
  spec.cluster.x = probe.blocks;
  spec.block.x = probe.source.threads_per_block;
  backend.launch(kernel, spec);
  backend.synchronize();
  backend.copy_out(data.buffers.back(), memory.back().pointer());
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The assembler's own words, else the refusal.
std::string reason_of(const Error& error) {
  const auto at = error.detail.find("ptxas ");
  if (error.code == ErrorCode::compile_failed && at != std::string::npos)
    return first_line(error.detail.substr(at));
  return to_string(error);
}

}  // namespace

Index unit_bytes(const ProbeBuffer& buffer) { return buffer.word_bytes * buffer.words; }

ProbeData::ProbeData(const Probe& probe, Index pass_count) : passes(pass_count) {
  for (const ProbeBuffer& buffer : probe.buffers)
    buffers.emplace_back(static_cast<size_t>(passes * units(probe, buffer) * unit_bytes(buffer)));
}

std::span<std::byte> ProbeData::pass(size_t buffer, Index index) {
  const size_t bytes = buffers[buffer].size() / static_cast<size_t>(passes);
  return std::span(buffers[buffer]).subspan(bytes * static_cast<size_t>(index), bytes);
}
std::span<const std::byte> ProbeData::pass(size_t buffer, Index index) const {
  const size_t bytes = buffers[buffer].size() / static_cast<size_t>(passes);
  return std::span(buffers[buffer]).subspan(bytes * static_cast<size_t>(index), bytes);
}

size_t index_of(const Probe& probe, std::string_view buffer) {
  const auto found = std::ranges::find(probe.buffers, buffer, &ProbeBuffer::name);
  return static_cast<size_t>(found - probe.buffers.begin());
}

std::string missing_arch(const Context& context, Arch needed) {
  const Arch target = context.backend().device_info().arch;
  if (provides(target, needed)) return {};
  return base::format("it needs {}, this is {}", to_string(needed), to_string(target));
}

ProbeRun run_probe(Context& context, SharedDevice& device, const std::string& atom,
                   const Probe& probe, ProbeData& data) {
  Kernel kernel;
  try {
    kernel = context.load(probe.source);
  } catch (const Exception& refusal) {
    const Error& error = refusal.error();
    const bool unknown = error.code == ErrorCode::compile_failed ||
                         error.code == ErrorCode::unsupported || error.code == ErrorCode::bad_file;
    if (!unknown) throw;
    return {AtomResult::not_executable, reason_of(error)};
  }
  const std::lock_guard lock(device.mutex);
  if (device.has_faulted) return {AtomResult::faulted, {}};
  if (device.executing) device.executing(atom);
  try {
    execute(context.backend(), kernel, probe, data);
  } catch (const Exception& refusal) {
    const ErrorCode code = refusal.error().code;
    const bool faulted = code == ErrorCode::launch_failed || code == ErrorCode::driver_failed;
    if (code != ErrorCode::check_failed && !faulted) throw;
    device.has_faulted = faulted;
    return {faulted ? AtomResult::faulted : AtomResult::refuted,
            first_line(to_string(refusal.error()))};
  }
  return {};
}

}  // namespace jute::proof
