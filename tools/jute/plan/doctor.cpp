// `jute doctor`: what was found on this machine, and what to do about what was not.
#include <jute/base/joined.hpp>
#include <jute/codegen/generate.hpp>
#include <jute/device/device.hpp>
#include <jute/jit/compile.hpp>
#include <jute/jit/disk_cache.hpp>
#include <jute/transport/transport.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <ostream>
#include <sstream>

#include "command/command_line.hpp"
#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "programs/disassembler.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

struct DoctorOptions {
  std::vector<std::string> required;
};

/// One thing that jute can use.
struct Part {
  std::string name = {};
  bool found = false;
  std::string what = {};    ///< version, path, names
  std::string remedy = {};  ///< what to do when it is missing
  ErrorCode missing = ErrorCode::internal;
  std::vector<std::string> places = {};  ///< where it was looked for, in order
};

constexpr std::array<const char*, 9> kParts{"driver", "gpu",   "nvrtc", "headers",  "nvdisasm",
                                            "nccl",   "links", "cache", "templates"};

std::string summary(const DeviceInfo& device) {
  std::ostringstream text;
  text << device.name << " (" << device.arch << ", " << device.sm_count << " SMs, "
       << device.memory_bytes / (Index{1} << 30) << " GiB)";
  return text.str();
}

void look_for_devices(std::vector<Part>& parts) {
  Part driver{
      .name = "driver",
      .remedy = "install NVIDIA's driver (libcuda.so.1); without it the emulator runs kernels",
      .missing = ErrorCode::no_gpu};
  Part gpu{.name = "gpu",
           .remedy = "use a machine with an NVIDIA GPU, or --device emulator",
           .missing = ErrorCode::no_gpu};
  try {
    if (const auto info = find_driver()) {
      driver.found = true;
      driver.what = info->driver_version;
      gpu.found = !info->devices.empty();
      gpu.what = joined(info->devices, summary);
    }
  } catch (const Exception& exception) {
    driver.remedy = to_string(exception.error());
  }
  parts.push_back(driver);
  parts.push_back(gpu);
}

void look_for_compiler(const Settings& settings, std::vector<Part>& parts) {
  Part nvrtc{.name = "nvrtc", .missing = ErrorCode::no_nvrtc, .places = cuda_places(settings)};
  Part headers{.name = "headers",
               .remedy =
                   "kernels that include cuda_fp16.h and the like need them: `pip install "
                   "nvidia-cuda-runtime nvidia-cuda-crt nvidia-cuda-cccl` beside NVRTC, or install "
                   "a CUDA toolkit",
               .missing = ErrorCode::file_not_found};
  Settings all = settings;
  all.nvrtc.clear();
  headers.places = cuda_places(all);
  try {
    const Compiler compiler(settings);
    headers.what = joined(compiler.header_folders());
    headers.found = !headers.what.empty();
    nvrtc.what = compiler.version() + " at " + compiler.path();
    nvrtc.found = true;
  } catch (const Exception& exception) {
    nvrtc.remedy = to_string(exception.error()) +
                   "; `pip install nvidia-cuda-nvrtc` in a virtual environment, or install a CUDA "
                   "toolkit, or set JUTE_NVRTC to the file";
    headers.remedy = "they are looked for once NVRTC is there";
  }
  parts.push_back(nvrtc);
  parts.push_back(headers);
}

Part look_for_disassembler(const Settings& settings) {
  Part part{.name = "nvdisasm",
            .remedy = std::string("`jute sass` and `jute view` show machine code by it; ") +
                      kDisassemblerRemedy,
            .missing = ErrorCode::no_disassembler};
  if (const auto tool = find_disassembler(settings)) {
    part.found = true;
    part.what = tool->program;
  }
  return part;
}

Part look_for_nccl() {
  const NcclSearch search = find_nccl();
  Part part{
      .name = "nccl",
      .remedy = search.fault + "; without it ranks of one process reach each other by copies alone",
      .missing = ErrorCode::unsupported,
      .places = search.looked};
  if (!search.found) return part;
  part.found = true;
  part.what = search.found->version + " at " + search.found->path;
  return part;
}

/// `GPU 0 to 1: 391 GB/s, 9 us a call`, of all pairs.
Part look_for_links() {
  Part part{.name = "links",
            .remedy = "products over several GPUs need two that reach each other's memory",
            .missing = ErrorCode::unsupported};
  try {
    for (const PeerLink& link : measured_links()) {
      part.found = part.found || link.reaches;
      part.what += (part.what.empty() ? "GPU " : "; GPU ") + std::to_string(link.from) + " to " +
                   std::to_string(link.to) + ": " +
                   (link.reaches ? bench::in_digits(link.gb_s, 3) + " GB/s, " +
                                       bench::in_digits(link.call_us, 3) + " us a call"
                                 : "no way");
    }
    if (!part.found && !part.what.empty()) part.remedy = part.what + "; " + part.remedy;
  } catch (const Exception& exception) {
    part.found = false;
    part.remedy = to_string(exception.error());
  }
  return part;
}

Part look_for_cache(const Settings& settings) {
  Part part{.name = "cache",
            .remedy =
                "set JUTE_CACHE_DIR to a folder that you may write; kernels are compiled anew "
                "until then",
            .missing = ErrorCode::unwritable};
  if (settings.cache == "off") {
    part.remedy = "JUTE_CACHE is off: set it to on";
    return part;
  }
  if (settings.cache_dir.empty()) return part;
  const bool is_read_only = settings.cache == "readonly";
  const DiskCache cache(settings.cache_dir,
                        is_read_only ? CacheAccess::read_only : CacheAccess::read_write);
  const std::string problem = cache.problem();
  part.found = problem.empty();
  part.what = settings.cache_dir + (is_read_only ? " (read-only)" : "");
  if (!problem.empty()) part.remedy = cache.path() + ": " + problem + "; " + part.remedy;
  return part;
}

Part look_for_templates(const Session& session, const Settings& settings) {
  Part part{.name = "templates",
            .remedy = "give --templates or JUTE_TEMPLATE_DIR a folder of kernel templates",
            .missing = ErrorCode::illegal_template};
  try {
    const TemplateSet templates = session.templates(settings);
    part.what = std::to_string(templates.pieces().size()) + " pieces, built in";
    const std::string folder = session.templates_folder(settings);
    if (!folder.empty()) part.what += " with those of " + folder + " over them";
    part.found = !templates.pieces().empty();
  } catch (const Exception& exception) {
    part.remedy = to_string(exception.error());
  }
  return part;
}

void print(const std::vector<Part>& parts, const Session& session) {
  if (session.common.json) {
    Json json = Json::object();
    for (const Part& part : parts) {
      Json found{{"found", part.found}, {"what", part.what}};
      if (!part.found) found.add("remedy", part.remedy);
      if (!part.places.empty()) found.add("places", Json::array(part.places));
      json.add(part.name, found);
    }
    session.print(json);
    return;
  }
  for (const Part& part : parts) {
    session.out << bench::left(part.name, 10)
                << (part.found ? part.what : "not found: " + part.remedy) << '\n';
    if (part.found || part.places.empty()) continue;
    session.out << "          looked, in this order, in\n";
    for (const std::string& place : part.places) session.out << "            " << place << '\n';
  }
  session.out << "emulator  always here: --device emulator needs neither driver nor GPU\n";
}

int run_doctor(const DoctorOptions& options, const Session& session) {
  const Settings settings = session.settings();
  std::vector<Part> parts;
  look_for_devices(parts);
  look_for_compiler(settings, parts);
  parts.push_back(look_for_disassembler(settings));
  parts.push_back(look_for_nccl());
  parts.push_back(look_for_links());
  parts.push_back(look_for_cache(settings));
  parts.push_back(look_for_templates(session, settings));
  print(parts, session);
  tell_settings(session);
  int status = kDone;
  for (const Part& part : parts)
    if (!part.found && std::ranges::find(options.required, part.name) != options.required.end()) {
      tell(session.err,
           {.code = part.missing,
            .operand = part.name,
            .value = "not found",
            .violated_rules = {"it must be there: " + part.remedy}},
           {.json = session.common.json});
      status = kEnvironmentLacks;
    }
  return status;
}

}  // namespace

void add_doctor(Command& jute) {
  auto options = std::make_shared<DoctorOptions>();
  Command& sub = jute.add("doctor", "Say what was found and what to do about what was not",
                          "jute doctor --require nvrtc");
  sub.option("--require", &options->required, "Fail unless these are there: gpu,nvrtc,…")
      .separated_by(',')
      .one_of({kParts.begin(), kParts.end()});
  sub.reads = {"--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_doctor(*options, session); };
}

}  // namespace jute::command
