// Generated sources and their binaries as files, for people to read.
#include "gemm/dump.hpp"

#include <jute/base/error.hpp>

#include <fcntl.h>

#include <cstring>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/whole_file.hpp"

namespace jute::gemm {
namespace {

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, std::string detail) {
  throw Exception(
      {.code = ErrorCode::unwritable,
       .operand = "JUTE_DUMP_DIR",
       .value = path.string(),
       .violated_rules = {"it must be a folder that generated sources can be written to"},
       .detail = std::move(detail)});
}

template <class Bytes>
void write(const std::filesystem::path& path, const Bytes& bytes) {
  const int fault = base::write_whole({AT_FDCWD, path.string(), path.string() + ".part"},
                                      std::as_bytes(std::span(bytes)));
  if (fault != 0) throw_unwritable(path, std::strerror(fault));
}

}  // namespace

void dump(const std::string& directory, const Source& source, const Binary& binary) {
  const std::filesystem::path folder(directory);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw_unwritable(folder, failure.message());
  write(folder / (source.symbol + ".cu"), source.text);
  write(folder / (source.symbol + ".ptx"), binary.ptx);
  if (!binary.cubin.empty()) write(folder / (source.symbol + ".cubin"), binary.cubin);
  if (!binary.log.empty()) write(folder / (source.symbol + ".log"), binary.log);
}

}  // namespace jute::gemm
