// `jute source`, `ptx`, `cubin` and `sass`: a problem's kernels at one stage of their way.
#include <memory>
#include <ostream>

#include "command/exit_status.hpp"
#include "emulate/gemm_launch.hpp"
#include "options/build_options.hpp"
#include "programs/disassembler.hpp"

namespace jute::command {
namespace {

struct KernelOptions {
  BuildOptions build;
  std::string launch;
};

/// The facts that are known of a kernel at every stage.
template <class Code>
Json facts(const Step<Code>& step) {
  return {{"symbol", step.code.symbol},
          {"arch", to_string(step.code.arch)},
          {"signature", to_string(step.code.signature)},
          {"launch", step.launch}};
}

/// Each kernel's text; with --json in a line for each, under `key`.
template <class Code, class TextOf>
int tell(const std::vector<Step<Code>>& steps, const char* key, TextOf text_of, Delivery& delivery,
         const Session& session) {
  std::vector<std::string> texts;
  std::string lines;
  for (const Step<Code>& step : steps) {
    texts.push_back(text_of(step.code));
    if (!session.common.json) continue;
    Json json = facts(step);
    json.add(key, texts.back());
    lines += json.text() + "\n";
  }
  session.common.json ? delivery.deliver(lines) : delivery.deliver_steps(texts);
  return kDone;
}

int run_source(const KernelOptions& options, const Session& session) {
  Delivery delivery(options.build.output, session);
  const auto text = [](const Source& source) { return source.text; };
  return tell(generated(options.build, session), "text", text, delivery, session);
}

int run_ptx(const KernelOptions& options, const Session& session) {
  if (!options.launch.empty()) {
    if (options.build.step || !options.build.output.empty())
      throw UsageError("--launch", "it must stand without --step and -o: it writes every step");
    const std::string file = write_gemm_launch(options.build, options.launch, session);
    return session.print({{"launch", file}}, file + "\n");
  }
  Delivery delivery(options.build.output, session);
  const auto text = [](const Binary& binary) { return binary.ptx; };
  return tell(compiled(options.build, session, Output::ptx), "ptx", text, delivery, session);
}

Json resources_json(const Resources& resources) {
  return {{"registers", resources.registers},
          {"stack_bytes", resources.stack_bytes},
          {"spill_store_bytes", resources.spill_store_bytes},
          {"spill_load_bytes", resources.spill_load_bytes},
          {"static_smem_bytes", resources.static_smem_bytes},
          {"serialized", resources.serialized}};
}

/// Without -o only what is known about the code is printed: machine code is nothing to read.
int run_cubin(const KernelOptions& options, const Session& session) {
  const std::string& output = options.build.output;
  Delivery delivery(output, session);
  const auto steps = compiled(options.build, session, Output::ptx_and_cubin);
  if (output == "-" && steps.size() > 1)
    throw UsageError("-o", "it must be a file, or --step one kernel: no stream holds two of them");
  std::vector<std::string> codes;
  for (const auto& [binary, launch] : steps)
    codes.emplace_back(reinterpret_cast<const char*>(binary.cubin.data()), binary.cubin.size());
  if (delivery.is_asked_for()) delivery.deliver_steps(codes);
  for (const Step<Binary>& step : steps) {
    const auto& resources = step.code.resources;
    Json json = facts(step);
    json.add("cubin_bytes", step.code.cubin.size());
    json.add("resources", resources ? resources_json(*resources) : Json());
    (output == "-" ? session.err : session.out)
        << (session.common.json ? json.text() : to_line(step.code)) << '\n';
  }
  return kDone;
}

int run_sass(const KernelOptions& options, const Session& session) {
  const auto tool = find_disassembler(session.settings());
  if (!tool) refuse_without_disassembler();
  Delivery delivery(options.build.output, session);
  const auto text = [&](const Binary& binary) { return disassembled(*tool, binary.cubin); };
  const auto steps = compiled(options.build, session, Output::ptx_and_cubin);
  return tell(steps, "sass", text, delivery, session);
}

struct Stage {
  const char *name, *about, *example;
  int (*run)(const KernelOptions& options, const Session& session);
};
constexpr Stage kStages[] = {
    {"source", "Print the CUDA source of a problem's kernels",
     "jute source --m 1024 --n 1024 --k 1024 --type bf16", run_source},
    {"ptx", "Print the PTX of a problem's kernels",
     "jute ptx --m 1024 --n 1024 --k 1024 --arch sm_80", run_ptx},
    {"cubin", "Assemble a problem's kernels; -o keeps the machine code",
     "jute cubin --m 1024 --n 1024 --k 1024 --arch sm_90a -o kernel.cubin", run_cubin},
    {"sass", "Print the machine instructions of a problem's kernels",
     "jute sass --m 1024 --n 1024 --k 1024 --arch sm_80", run_sass},
};

}  // namespace

void add_kernels(Command& jute) {
  for (const Stage& stage : kStages) {
    auto options = std::make_shared<KernelOptions>();
    Command& sub =
        add_build_subcommand(jute, options->build, stage.name, stage.about, stage.example);
    if (stage.run == run_ptx)
      sub.option(
          "--launch DIR", &options->launch,
          "Write kernels, random operands, the expected D and launch.json for `jute emulate`");
    sub.run = [options, run = stage.run](const Session& session) { return run(*options, session); };
  }
}

}  // namespace jute::command
