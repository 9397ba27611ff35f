// CUDA texts that people wrote, on their way to PTX.
#include <jute/base/error.hpp>
#include <jute/jit/compile.hpp>

#include <filesystem>

#include "jit/compile_log.hpp"
#include "jit/compiler_impl.hpp"
#include "jit/nvrtc_program.hpp"

namespace jute {
namespace {

/// The folder with cuda_fp16.h of the toolkit that holds the library; empty where there is none.
std::string header_folder(const std::string& library) {
  std::error_code none;
  std::filesystem::path folder = std::filesystem::weakly_canonical(library, none).parent_path();
  for (int up = 0; up < 4 && folder.has_relative_path(); ++up, folder = folder.parent_path())
    for (const char* below : {"include", "cuda_runtime/include"})
      if (std::filesystem::exists(folder / below / "cuda_fp16.h", none))
        return (folder / below).string();
  return {};
}

std::vector<std::string> options_of(const CudaText& cuda, const std::string& library) {
  std::vector<std::string> options{
      "--gpu-architecture=compute_" + to_string(cuda.arch).substr(3),
      "--std=c++17",
      "--generate-line-info",
      "--device-as-default-execution-space",
  };
  const size_t slash = cuda.file.rfind('/');
  options.push_back("--include-path=" +
                    (slash == std::string::npos ? "." : cuda.file.substr(0, slash + 1)));
  if (const std::string headers = header_folder(library); !headers.empty())
    options.push_back("--include-path=" + headers);
  options.insert(options.end(), cuda.options.begin(), cuda.options.end());
  return options;
}

[[noreturn]] void refuse(const CudaText& cuda, const std::string& log, const std::string& status) {
  const jit::FirstError first = jit::find_first_error(log, cuda.file);
  throw Exception(
      {.code = ErrorCode::bad_file,
       .operand = cuda.file,
       .value = status,
       .violated_rules = {"it must compile for " + to_string(cuda.arch) + ": " + first.text},
       .position = first.position,
       .detail = log + "\n" + jit::annotated_source(log, cuda.file, cuda.text)});
}

}  // namespace

std::string Compiler::ptx(const CudaText& cuda) const { return instantiate(cuda).text; }

CudaPtx Compiler::instantiate(const CudaText& cuda) const {
  const jit::NvrtcApi& api = impl_->api();
  if (cuda.text.find('\0') != std::string::npos)
    throw Exception({.code = ErrorCode::bad_file,
                     .operand = cuda.file,
                     .violated_rules = {"it must hold no zero byte"}});
  jit::check_architecture(api, cuda.arch);
  jit::NvrtcSession session(api, cuda.text, cuda.file);
  for (const std::string& instance : cuda.instances) session.want(instance);
  std::vector<std::string> options = options_of(cuda, impl_->file.path);
  jit::add_call_options(api, options);
  const int status = session.compile(options);
  if (status != jit::kNvrtcSuccess)
    refuse(cuda, jit::stable_log(session.log()), jit::status_name(api, status));
  CudaPtx result{session.ptx(), {}};
  for (const std::string& instance : cuda.instances)
    result.symbols.push_back(session.symbol(instance));
  return result;
}

}  // namespace jute
