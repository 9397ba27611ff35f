// Compiles kernel cases and runs them on a back end.
#include "kernels/case_run.hpp"

#include <exception>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace jute::test {
namespace {

std::string read_text(const std::string& file) {
  const std::string path = std::string(JUTE_SOURCE_DIR) + "/tests/kernels/" + file;
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error(path + " cannot be read");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

ParameterKind kind_of(const Argument& argument) {
  if (std::holds_alternative<AddressOf>(argument)) return ParameterKind::pointer;
  if (std::holds_alternative<MapOf>(argument)) return ParameterKind::tensor_map;
  return ParameterKind::i32;
}

Signature signature_of(const CaseLaunch& launch) {
  Signature signature;
  for (const Argument& argument : launch.arguments)
    signature.parameters.push_back(
        {"p" + std::to_string(signature.parameters.size()), kind_of(argument)});
  return signature;
}

ArgumentBlock pack(Backend& backend, const CaseLaunch& launch, const std::vector<Buffer>& buffers) {
  ArgumentBlock block;
  for (const Argument& argument : launch.arguments) {
    if (const auto* address = std::get_if<AddressOf>(&argument))
      block.pointer(buffers[address->array].pointer() +
                    static_cast<DevicePointer>(address->offset_bytes));
    else if (const auto* map = std::get_if<MapOf>(&argument))
      block.tensor_map(backend.encode(map->spec, buffers[map->array].pointer()));
    else
      block.i32(std::get<std::int32_t>(argument));
  }
  return block;
}

}  // namespace

std::string cuda_text(const KernelCase& kernel_case) {
  return "#line 1 \"words.cu\"\n" + read_text("words.cu") + kernel_case.prelude + "#line 1 \"" +
         kernel_case.file + ".cu\"\n" + read_text(kernel_case.file + ".cu");
}

std::vector<Binary> compile(const Compiler& compiler, const KernelCase& kernel_case,
                            Output output) {
  const CaseLaunch& first = kernel_case.launches.front();
  Binary binary = compiler.compile({.symbol = first.symbol,
                                    .text = cuda_text(kernel_case),
                                    .arch = {90, 'a'},
                                    .signature = signature_of(first)},
                                   output);
  std::vector<Binary> binaries;
  for (const CaseLaunch& launch : kernel_case.launches) {
    binary.symbol = launch.symbol;
    binary.signature = signature_of(launch);
    binaries.push_back(binary);
  }
  return binaries;
}

std::vector<std::vector<std::byte>> run(Backend& backend, const KernelCase& kernel_case,
                                        const std::vector<Binary>& binaries) {
  std::vector<Buffer> buffers;
  for (const Array& array : kernel_case.arrays) {
    buffers.emplace_back(backend, static_cast<Index>(array.after.size()));
    if (!array.before.empty()) backend.copy_in(buffers.back().pointer(), array.before);
  }
  std::vector<Kernel> kernels;
  for (const Binary& binary : binaries) kernels.push_back(backend.load(binary));
  for (size_t i = 0; i < kernels.size(); ++i) {
    const CaseLaunch& launch = kernel_case.launches[i];
    backend.launch(kernels[i], {.grid = launch.grid,
                                .block = launch.block,
                                .cluster = launch.cluster,
                                .dynamic_smem_bytes = launch.smem_bytes,
                                .arguments = pack(backend, launch, buffers),
                                .order = launch.order});
  }
  std::vector<std::vector<std::byte>> arrays;
  for (const Buffer& buffer : buffers) {
    arrays.emplace_back(static_cast<size_t>(buffer.size_bytes()));
    backend.copy_out(arrays.back(), buffer.pointer());
  }
  return arrays;
}

std::string first_difference(const KernelCase& kernel_case,
                             const std::vector<std::vector<std::byte>>& arrays) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    const std::vector<std::byte>&expected = kernel_case.arrays[i].after, &got = arrays[i];
    for (size_t at = 0; at < got.size(); ++at) {
      if (got[at] == expected[at]) continue;
      return "array " + std::to_string(i) + " byte " + std::to_string(at) + ": " +
             std::to_string(std::to_integer<int>(got[at])) + " instead of " +
             std::to_string(std::to_integer<int>(expected[at]));
    }
  }
  return {};
}

std::vector<NamedSchedule> schedules(int random_seeds) {
  std::vector<NamedSchedule> all = {
      {"fixed", Schedule::fixed, 0}, {"late", Schedule::late, 0}, {"early", Schedule::early, 0}};
  for (int seed = 1; seed <= random_seeds; ++seed)
    all.push_back(
        {"random:" + std::to_string(seed), Schedule::random, static_cast<std::uint64_t>(seed)});
  return all;
}

Emulation emulate(const KernelCase& kernel_case, const std::vector<Binary>& binaries,
                  const NamedSchedule& schedule, Index warp_instructions_per_block) {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = schedule.schedule;
  options.seed = schedule.seed;
  options.threads = 1;
  options.warp_instructions_per_block = warp_instructions_per_block;
  const auto backend = open_emulator(options);
  Emulation result;
  result.difference = first_difference(kernel_case, run(*backend, kernel_case, binaries));
  result.report = backend->take_report();
  return result;
}

Verdict judge(const KernelCase& kernel_case, const std::vector<Binary>& binaries,
              int random_seeds) {
  Verdict verdict;
  for (const NamedSchedule& schedule : schedules(random_seeds)) {
    try {
      const Emulation result = emulate(kernel_case, binaries, schedule);
      if (result.is_right_and_silent()) continue;
      verdict.details +=
          schedule.name + ": " + result.difference + "\n" + to_string(result.report) + "\n";
      if (!result.difference.empty()) return {"wrong", verdict.details};
      for (const Finding& finding : result.report.findings)
        if (verdict.found.find(finding.code) == std::string::npos) verdict.found += finding.code;
    } catch (const std::exception& refusal) {
      return {"refused", refusal.what()};
    }
  }
  if (verdict.found.empty()) verdict.found = "silent";
  return verdict;
}

std::map<std::string, std::string> read_list(const std::string& file) {
  std::istringstream text(read_text(file));
  std::map<std::string, std::string> entries;
  for (std::string line; std::getline(text, line);) {
    const size_t colon = line.find(": ");
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    entries[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return entries;
}

}  // namespace jute::test
