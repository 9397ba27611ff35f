// Compiles a Source with NVRTC.
#include <jute/base/error.hpp>
#include <jute/jit/compile.hpp>

#include "base/fork_gate.hpp"
#include "jit/compile_log.hpp"
#include "jit/compiler_impl.hpp"
#include "jit/cuda_headers.hpp"
#include "jit/nvrtc_program.hpp"

namespace jute {
namespace {

using jit::check_architecture;
using jit::NvrtcApi;
using jit::require;
using jit::status_name;
using Program = jit::NvrtcSession;

Error refusal(const Source& source, const std::string& rule, std::string detail = {}) {
  return {.code = ErrorCode::compile_failed,
          .operand = source.symbol,
          .violated_rules = {rule},
          .detail = std::move(detail)};
}

void check_text(const Source& source) {
  if (source.text.find('\0') != std::string::npos)
    throw Exception(refusal(source, "the source must hold no zero byte"));
}

/// The PTX of a source whose assembly failed; empty when even that cannot be had.
std::string ptx_for_report(const NvrtcApi& api, const Source& source) {
  Program program(api, source.text, file_name(source));
  const bool compiled = program.compile(compile_options(source, Output::ptx)) == jit::kNvrtcSuccess;
  return compiled ? program.ptx() : std::string();
}

[[noreturn]] void throw_compile_failed(const NvrtcApi& api, const Source& source, int status,
                                       const std::string& log) {
  const jit::FirstError first = jit::find_first_error(log, file_name(source));
  Error error =
      refusal(source, "it must compile for " + to_string(source.arch) + ": " + first.text, log);
  error.operand = "nvrtcCompileProgram";
  error.value = status_name(api, status);
  error.position = first.position;
  error.detail += "\n" + jit::annotated_source(log, file_name(source), source.text);
  if (jit::names_ptx_lines(log))
    error.detail += "\nPTX:\n" + jit::annotated_ptx(log, ptx_for_report(api, source));
  throw Exception(std::move(error));
}

bool defines_kernel(const std::string& ptx, const std::string& symbol) {
  const std::string entry = ".entry " + symbol;
  for (size_t at = ptx.find(entry); at != std::string::npos; at = ptx.find(entry, at + 1)) {
    const size_t end = at + entry.size();
    if (end == ptx.size() || ptx[end] == '(' || ptx[end] == '\n' || ptx[end] == ' ') return true;
  }
  return false;
}

/// "13.0.88" from the line `// Cuda compilation tools, release 13.0, V13.0.88` of any PTX.
std::string build_in_ptx(const NvrtcApi& api) {
  const std::string opening = "release ";
  Program program(api, "extern \"C\" __global__ void probe() {}", "probe.cu");
  if (program.compile({}) != jit::kNvrtcSuccess) return {};
  const std::string ptx = program.ptx();
  const size_t line = ptx.find(opening);
  const size_t start = line == std::string::npos ? line : ptx.find(", V", line);
  if (start == std::string::npos) return {};
  const size_t end = ptx.find('\n', start);
  return ptx.substr(start + 3, end == std::string::npos ? end : end - start - 3);
}

jit::NvrtcPlaces places_of(const Settings& settings) {
  jit::NvrtcPlaces places;
  places.library = settings.nvrtc;
  places.cuda_home = settings.cuda_home;
  places.virtual_env = settings.virtual_env;
  return places;
}

std::vector<std::string> options_of_call(const NvrtcApi& api, const Source& source, Output output) {
  std::vector<std::string> options = compile_options(source, output);
  jit::add_call_options(api, options);
  return options;
}

}  // namespace

Compiler::Impl::Impl(jit::NvrtcPlaces searched, base::LibraryLoader library_loader)
    : places(std::move(searched)),
      loader(std::move(library_loader)),
      file(jit::find_nvrtc(places, loader)) {}

const NvrtcApi& Compiler::Impl::api() const {
  std::call_once(load_once_, [this] { api_ = jit::load_nvrtc(file.path, loader); });
  return api_;
}

Compiler::Compiler(const std::string& library) : Compiler(Settings{.nvrtc = library}) {}

Compiler::Compiler(const Settings& settings)
    : impl_(std::make_shared<Impl>(places_of(settings), base::system_loader())) {}

const std::string& Compiler::version() const {
  std::call_once(impl_->version_once, [this] {
    const NvrtcApi& api = impl_->api();
    impl_->version = build_in_ptx(api);
    if (!impl_->version.empty()) return;
    int major = 0;
    int minor = 0;
    require(api, "nvrtcVersion", api.version(&major, &minor));
    impl_->version = std::to_string(major) + "." + std::to_string(minor);
  });
  return impl_->version;
}

std::string Compiler::build() const {
  return impl_->file.build_id.empty() ? version() : impl_->file.build_id;
}

const std::string& Compiler::path() const { return impl_->file.path; }

const std::vector<std::string>& Compiler::header_folders() const {
  std::call_once(impl_->headers_once,
                 [this] { impl_->headers = jit::find_headers(impl_->places, impl_->file.path); });
  return impl_->headers;
}

std::vector<std::string> cuda_places(const Settings& settings) {
  return jit::described(places_of(settings));
}

Binary Compiler::compile(const Source& source, Output output) const {
  const base::Unforked whole;  // NVRTC has locks of its own
  const NvrtcApi& api = impl_->api();
  check_text(source);
  check_architecture(api, source.arch);
  Program program(api, source.text, file_name(source));
  const int status = program.compile(options_of_call(api, source, output));
  const std::string log = jit::stable_log(program.log());
  if (status != jit::kNvrtcSuccess) throw_compile_failed(api, source, status, log);
  Binary binary{.symbol = source.symbol,
                .arch = source.arch,
                .signature = source.signature,
                .ptx = program.ptx(),
                .log = log,
                .source_text = source.text};
  if (!defines_kernel(binary.ptx, source.symbol))
    throw Exception(
        refusal(source, "the source must define the kernel extern \"C\" " + source.symbol, log));
  if (output != Output::ptx) {
    binary.cubin = program.cubin();
    binary.resources = jit::find_resources(log, source.symbol);
  }
  return binary;
}

}  // namespace jute
