// CUDA texts that people wrote, on their way to PTX.
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/jit/compile.hpp>

#include <algorithm>

#include "base/fork_gate.hpp"
#include "jit/compile_log.hpp"
#include "jit/compiler_impl.hpp"
#include "jit/host_headers.hpp"
#include "jit/nvrtc_program.hpp"

namespace jute {
namespace {

std::vector<std::string> options_of(const CudaText& cuda, const std::vector<std::string>& headers) {
  std::vector<std::string> options{
      "--gpu-architecture=compute_" + to_string(cuda.arch).substr(3),
      "--std=c++17",
      "--generate-line-info",
      "--device-as-default-execution-space",
  };
  const size_t slash = cuda.file.rfind('/');
  options.push_back("--include-path=" +
                    (slash == std::string::npos ? "." : cuda.file.substr(0, slash + 1)));
  for (const std::string& folder : headers) options.push_back("--include-path=" + folder);
  options.insert(options.end(), cuda.options.begin(), cuda.options.end());
  return options;
}

/// The header that the log misses; empty where it misses none.
std::string missing_header(const std::string& log) {
  const std::string opening = "cannot open source file \"";
  const size_t at = log.find(opening);
  if (at == std::string::npos) return {};
  const size_t begin = at + opening.size();
  return log.substr(begin, log.find('"', begin) - begin);
}

/// The way out for whoever wrote the text.
std::string way_out(const DeviceCode& code, const std::string& log) {
  if (const std::string header = missing_header(log); !header.empty())
    return header +
           " must lie beside the file or in a folder of --nvrtc -IFOLDER, or stand behind " +
           "#ifndef __CUDACC_RTC__ if only the host needs it";
  if (log.find("device-side kernel launch") != std::string::npos)
    return "a kernel must not launch kernels: launches from a device are not emulated";
  if (!code.had_host_code) return {};
  return "what only the host needs must stand behind #ifndef __CUDACC_RTC__; or give what nvcc "
         "-ptx "
         "-lineinfo writes";
}

[[noreturn]] void refuse(const CudaText& cuda, const DeviceCode& code, const std::string& log,
                         const std::string& status) {
  const jit::FirstError first = jit::find_first_error(log, cuda.file);
  const std::string annotated = jit::annotated_source(log, cuda.file, cuda.text);
  Error error{.code = ErrorCode::bad_file,
              .operand = cuda.file,
              .value = status,
              .violated_rules = {"it must compile for " + to_string(cuda.arch) + ": " + first.text},
              .position = first.position,
              // Messages in other files have no line of this text to stand at.
              .detail = first.position ? annotated : log};
  if (std::string rule = way_out(code, log); !rule.empty())
    error.violated_rules.push_back(std::move(rule));
  throw Exception(std::move(error));
}

/// Headers that the text's own include paths do not have, and its own without host code.
std::vector<CudaHeader> headers_of(const DeviceCode& code,
                                   const std::vector<std::string>& options) {
  std::vector<CudaHeader> headers = code.headers;
  for (CudaHeader& header : jit::stand_ins(code.included, jit::include_folders(options)))
    if (std::ranges::find(headers, header.name, &CudaHeader::name) == headers.end())
      headers.push_back(std::move(header));
  return headers;
}

}  // namespace

std::string Compiler::ptx(const CudaText& cuda) const { return instantiate(cuda).text; }

CudaPtx Compiler::instantiate(const CudaText& cuda) const {
  const base::Unforked whole;
  const jit::NvrtcApi& api = impl_->api();
  if (cuda.text.find('\0') != std::string::npos)
    jute::refuse(ErrorCode::bad_file, cuda.file, "", "it must hold no zero byte");
  jit::check_architecture(api, cuda.arch);
  const DeviceCode code = device_code(
      cuda.text, cuda.file, jit::header_reader(jit::include_folders(cuda.options)), cuda.instances);
  std::vector<std::string> options = options_of(cuda, header_folders());
  options.push_back(std::string("--pre-include=") + jit::kPrelude);
  const auto names_standard = [](const std::string& option) {
    return option.find("-std") != std::string::npos;
  };
  if (code.uses_designators && std::ranges::none_of(cuda.options, names_standard))
    std::ranges::replace(options, std::string("--std=c++17"), std::string("--std=c++20"));
  if (code.uses_standard_library) options.emplace_back("-DJUTE_USES_STD");
  jit::NvrtcSession session(api, code.text, cuda.file, headers_of(code, options));
  for (const std::string& instance : cuda.instances) session.want(instance);
  jit::add_call_options(api, options);
  const int status = session.compile(options);
  if (status != jit::kNvrtcSuccess)
    refuse(cuda, code, jit::stable_log(session.log()), jit::status_name(api, status));
  CudaPtx result{session.ptx(), {}};
  for (const std::string& instance : cuda.instances)
    result.symbols.push_back(session.symbol(instance));
  return result;
}

}  // namespace jute
