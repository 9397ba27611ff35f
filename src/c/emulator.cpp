// The emulator behind jute.h: as a device, and for any PTX.
#include "c/emulator.hpp"

#include <jute/base/refuse.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "c/objects.hpp"

#ifndef JUTE_WITHOUT_EMULATOR
#include <jute/emulator/emulated_gpu.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/kernel_name.hpp>
#include <jute/emulator/report.hpp>
#endif

namespace jute::c {

#ifdef JUTE_WITHOUT_EMULATOR

namespace {

[[noreturn]] void refuse_emulator() {
  jute::refuse(ErrorCode::no_gpu, "device", "emulator",
               "jute must be built with JUTE_WITH_EMULATOR=ON for this");
}

}  // namespace

std::unique_ptr<Backend> opened_emulator(const jute_context_options& /*given*/,
                                         const Settings& /*settings*/) {
  refuse_emulator();
}

std::string emulated(const jute_launch& /*launch*/, bool& /*is_clean*/) { refuse_emulator(); }

#else

namespace {

Check check_of(int32_t given, Check usual) {
  switch (given) {
    case JUTE_CHECK_NONE:
      return Check::none;
    case JUTE_CHECK_MEMORY:
      return Check::memory;
    case JUTE_CHECK_FULL:
      return Check::full;
    default:
      return usual;
  }
}

Dim3 dim3_of(const uint32_t (&extents)[3]) {
  const auto at_least_one = [](uint32_t extent) { return extent == 0 ? 1U : extent; };
  Dim3 dim;
  dim.x = at_least_one(extents[0]), dim.y = at_least_one(extents[1]),
  dim.z = at_least_one(extents[2]);
  return dim;
}

/// An argument on its way: its bytes, or the memory that holds them.
struct Argument {
  std::vector<std::byte> passed;
  Buffer memory;
};

Argument argument_of(Backend& backend, const jute_argument& given) {
  require_enumerator(given.is_memory, 1, "argument.is_memory");
  const auto* const data = static_cast<const std::byte*>(given.data);
  if (given.is_memory == 0) {
    require_list(data, given.bytes, "argument.data");
    return {std::vector<std::byte>(data, data + given.bytes), {}};
  }
  Argument argument{{}, Buffer(backend, static_cast<Index>(given.bytes))};
  const DevicePointer address = argument.memory.pointer();
  if (data != nullptr) backend.copy_in(address, {data, given.bytes});
  argument.passed.resize(sizeof address);
  std::memcpy(argument.passed.data(), &address, sizeof address);
  return argument;
}

}  // namespace

std::unique_ptr<Backend> opened_emulator(const jute_context_options& given,
                                         const Settings& settings) {
  EmulatorOptions options;
  if (given.chip != nullptr)
    options.device = parse_chip(given.chip);
  else if (!settings.arch.empty())
    options.device = preset_for(parse_arch(settings.arch));
  options.check = check_of(given.check, options.check);
  return open_emulator(options);
}

/// The report of a run.
std::string emulated(const jute_launch& launch, bool& is_clean) {
  EmulatorOptions options;
  options.check = check_of(launch.check, Check::full);
  if (launch.chip != nullptr) options.device = parse_chip(launch.chip);
  const std::string_view ptx = required_text(launch.ptx, "launch.ptx");
  const PtxKernel declared = find_kernel(list_kernels(ptx), text_or_empty(launch.kernel));
  const std::unique_ptr<EmulatorBackend> backend = open_emulator(options);
  const Kernel kernel = backend->load(binary_from_ptx(ptx, declared.symbol));
  std::vector<Argument> arguments;
  std::vector<std::vector<std::byte> > passed;
  require_list(launch.arguments, launch.argument_count, "launch.arguments");
  for (std::size_t i = 0; i < launch.argument_count; ++i) {
    arguments.push_back(argument_of(*backend, launch.arguments[i]));
    passed.push_back(arguments.back().passed);
  }
  backend->launch(kernel, {.grid = dim3_of(launch.grid),
                           .block = dim3_of(launch.block),
                           .cluster = dim3_of(launch.cluster),
                           .dynamic_smem_bytes = launch.dynamic_smem_bytes,
                           .arguments = packed_arguments(declared, passed)});
  const Report report = backend->take_report();
  for (std::size_t i = 0; i < launch.argument_count; ++i) {
    const jute_argument& given = launch.arguments[i];
    if (given.is_memory != 0 && given.data != nullptr)
      backend->copy_out({static_cast<std::byte*>(given.data), given.bytes},
                        arguments[i].memory.pointer());
  }
  is_clean = report.clean();
  return to_json(report).text();
}

#endif

}  // namespace jute::c

int32_t jute_emulate(const jute_launch* launch, jute_text** report) {
  using namespace jute;
  using namespace jute::c;
  return guarded([&] {
    expect(report, "report");
    constexpr std::size_t kFirstLaunch = sizeof(jute_launch);
    const jute_launch given = read_struct(launch, "launch", kFirstLaunch);
    require_enumerator(given.check, JUTE_CHECK_FULL, "launch.check");
    require_count(given.dynamic_smem_bytes, "launch.dynamic_smem_bytes");
    bool is_clean = false;
    std::string text = emulated(given, is_clean);
    give(report, std::make_shared<TextObject>(TextObject{text}));
    if (!is_clean)
      throw Exception({.code = ErrorCode::check_failed,
                       .operand = "launch",
                       .value = std::string(text_or_empty(given.kernel)),
                       .violated_rules = {"the emulator must find nothing"},
                       .detail = std::move(text)});
  });
}
