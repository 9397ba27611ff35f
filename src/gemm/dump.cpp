// Generated sources and their binaries as files, for people to read.
#include "gemm/dump.hpp"

#include <jute/base/error.hpp>

#include <filesystem>
#include <fstream>
#include <system_error>

namespace jute::gemm {
namespace {

[[noreturn]] void throw_unwritable(const std::filesystem::path& path, std::string detail) {
  throw Exception({.code = ErrorCode::unwritable,
                   .operand = "JUTE_DUMP_DIR",
                   .value = path.string(),
                   .violated_rules = {"generated sources can be written there"},
                   .detail = std::move(detail)});
}

void write(const std::filesystem::path& path, const char* data, size_t size) {
  std::ofstream file(path, std::ios::binary);
  file.write(data, static_cast<std::streamsize>(size));
  file.close();
  if (!file) throw_unwritable(path, "");
}

}  // namespace

void dump(const std::string& directory, const Source& source, const Binary& binary) {
  const std::filesystem::path folder(directory);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw_unwritable(folder, failure.message());
  write(folder / (source.symbol + ".cu"), source.text.data(), source.text.size());
  write(folder / (source.symbol + ".ptx"), binary.ptx.data(), binary.ptx.size());
  if (!binary.cubin.empty())
    write(folder / (source.symbol + ".cubin"), reinterpret_cast<const char*>(binary.cubin.data()),
          binary.cubin.size());
  if (!binary.log.empty())
    write(folder / (source.symbol + ".log"), binary.log.data(), binary.log.size());
}

}  // namespace jute::gemm
