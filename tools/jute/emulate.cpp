// `jute emulate`: one launch of a PTX file on the emulator, from files to files.
#include <jute/base/nearest_name.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>
#include <jute/plan/device_presets.hpp>

#include <algorithm>
#include <memory>
#include <ostream>
#include <utility>

#include "backend_options.hpp"
#include "command_line.hpp"
#include "exit_status.hpp"
#include "files.hpp"
#include "json_writer.hpp"
#include "launch_file.hpp"
#include "npy.hpp"

namespace jute::command {
namespace {

struct EmulateOptions {
  std::string ptx, launch, report;
  std::string preset = "h200";
  BackendOptions backend;
};

/// Memory of one argument, and where it goes afterwards.
struct LoadedBuffer {
  Buffer buffer;
  NpyArray array;  ///< of an output without its bytes
  std::optional<OutputFile> save;
};

/// Files are read and opened for writing before anything runs.
std::vector<LoadedBuffer> load_buffers(const LaunchFile& launch, Backend& backend) {
  std::vector<LoadedBuffer> loaded(launch.arguments.size());
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const auto* argument = std::get_if<BufferArgument>(&launch.arguments[i]);
    if (argument == nullptr) continue;
    LoadedBuffer& target = loaded[i];
    const bool has_file = argument->kind != BufferArgument::Kind::out;
    if (has_file) {
      target.array = read_npy(argument->npy);
    } else {
      target.array = {.descr = argument->descr, .shape = argument->shape, .bytes = {}};
    }
    const auto bytes = has_file ? static_cast<Index>(target.array.bytes.size()) : argument->bytes;
    if (!argument->save.empty()) target.save.emplace(argument->save);
    target.buffer = Buffer(backend, bytes);
    if (has_file) backend.copy_in(target.buffer.pointer(), target.array.bytes);
  }
  return loaded;
}

void append_scalar(ArgumentBlock& block, const ScalarArgument& scalar) {
  switch (scalar.kind) {
    case ParameterKind::i32:
      block.i32(static_cast<std::int32_t>(scalar.bits));
      return;
    case ParameterKind::u32:
      block.u32(static_cast<std::uint32_t>(scalar.bits));
      return;
    case ParameterKind::i64:
      block.i64(static_cast<std::int64_t>(scalar.bits));
      return;
    case ParameterKind::f32:
      block.f32(std::bit_cast<float>(static_cast<std::uint32_t>(scalar.bits)));
      return;
    case ParameterKind::f64:
      block.f64(std::bit_cast<double>(scalar.bits));
      return;
    default:
      block.u64(scalar.bits);
  }
}

LaunchSpec spec_of(const LaunchFile& launch, const std::vector<LoadedBuffer>& buffers,
                   Backend& backend) {
  LaunchSpec spec{launch.grid, launch.block, launch.cluster, launch.dynamic_smem_bytes, {}};
  for (size_t i = 0; i < launch.arguments.size(); ++i) {
    const LaunchArgument& argument = launch.arguments[i];
    if (const auto* buffer = std::get_if<BufferArgument>(&argument)) {
      if (!buffer->hidden) spec.arguments.pointer(buffers[i].buffer.pointer());
    } else if (const auto* scalar = std::get_if<ScalarArgument>(&argument)) {
      append_scalar(spec.arguments, *scalar);
    } else {
      const auto& map = std::get<TensorMapArgument>(argument);
      spec.arguments.tensor_map(backend.encode(map.spec, buffers[map.of].buffer.pointer()));
    }
  }
  return spec;
}

[[noreturn]] void refuse_arguments(const std::string& path, const std::string& value,
                                   std::string rule) {
  throw Exception({.code = ErrorCode::bad_file,
                   .operand = path,
                   .value = value,
                   .violated_rules = {std::move(rule)}});
}

void check_kernel(const std::string& ptx, const std::string& kernel) {
  std::vector<std::string> names;
  for (const PtxKernel& row : list_kernels(ptx)) names.push_back(row.symbol);
  if (std::ranges::find(names, kernel) != names.end()) return;
  throw Exception({.code = ErrorCode::unknown_name,
                   .operand = "kernel",
                   .value = kernel,
                   .violated_rules = {"it must be a kernel of the PTX: " + joined(names)},
                   .nearest_legal = nearest_name(kernel, names)});
}

/// The kernel of the PTX with the arguments of LAUNCH.json, whose sizes must be its parameters'.
Binary binary_of(const std::string& ptx, const LaunchFile& launch, const std::string& path) {
  check_kernel(ptx, launch.kernel);
  Binary binary = binary_from_ptx(ptx, launch.kernel);
  binary.signature = signature_of(launch);
  const auto kernels = list_kernels(ptx);
  try {
    (void)place_arguments(std::ranges::find(kernels, launch.kernel, &PtxKernel::symbol)->parameters,
                          binary.signature);
  } catch (const Exception& exception) {
    const Error& error = exception.error();
    refuse_arguments(path, "args, " + error.operand + ": " + error.value,
                     error.violated_rules.front());
  }
  return binary;
}

void save_outputs(std::vector<LoadedBuffer>& buffers, Backend& backend) {
  for (LoadedBuffer& loaded : buffers) {
    if (!loaded.save) continue;
    loaded.array.bytes.resize(static_cast<size_t>(loaded.buffer.size_bytes()));
    backend.copy_out(loaded.array.bytes, loaded.buffer.pointer());
    write_npy(*loaded.save, loaded.array);
    loaded.save->commit();
  }
}

int run_emulate(const EmulateOptions& options, const Session& session) {
  const std::string ptx = read_text(options.ptx);
  const LaunchFile launch = read_launch_file(options.launch);
  const Binary binary = binary_of(ptx, launch, options.launch);
  std::optional<OutputFile> report_file;
  if (!options.report.empty()) report_file.emplace(options.report);
  const auto backend =
      open_emulator(emulator_options(options.backend, device_preset(options.preset)));
  std::vector<LoadedBuffer> buffers = load_buffers(launch, *backend);
  backend->launch(backend->load(binary), spec_of(launch, buffers, *backend));
  const Report report = backend->take_report();
  save_outputs(buffers, *backend);
  if (report_file) {
    report_file->write(indented(to_json(report)));
    report_file->commit();
  }
  if (session.common.json) {
    session.out << one_line(to_json(report)) << '\n';
  } else {
    session.out << report.printed << (report.clean() ? "clean\n" : to_string(report));
  }
  return report.clean() ? kDone : kAnswerIsNo;
}

}  // namespace

void add_emulate(Command& jute) {
  auto options = std::make_shared<EmulateOptions>();
  Command& sub =
      jute.add("emulate", "Run one kernel of a PTX file on the emulator",
               "jute emulate examples/emulate/iota.ptx --launch examples/emulate/launch.json");
  sub.option("ptx", &options->ptx, "The PTX file").required().type("FILE.ptx");
  sub.option("--launch", &options->launch, "Kernel, grid and arguments")
      .required()
      .type("LAUNCH.json");
  sub.option("--report", &options->report, "Write what was found").type("FILE.json");
  sub.option("--device-preset", &options->preset, "The chip to stand for").with_default();
  add_check_flags(sub, options->backend);
  sub.run = [options](const Session& session) { return run_emulate(*options, session); };
}

}  // namespace jute::command
