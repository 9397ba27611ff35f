// Maps the file of counts, and reads it.
#include "shim/report.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>

#include "shim/private_file.hpp"

namespace jute {
namespace shim {

std::string report_path(const std::string& kept_path) { return kept_path + ".counts"; }

Counts::Counts(const std::string& kept_path, const KeptCalls& kept) {
  const int file = open_private(report_path(kept_path), O_RDWR);
  if (file < 0) return;
  const std::size_t bytes = sizeof(std::uint64_t) * (kServedBy + kept.calls.size());
  struct stat status {};
  // It only grows: another process may count in it.
  if (::fstat(file, &status) == 0 && (status.st_size >= static_cast<off_t>(bytes) ||
                                      ::ftruncate(file, static_cast<off_t>(bytes)) == 0)) {
    void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) counts_ = static_cast<std::uint64_t*>(memory);
  }
  ::close(file);
}

void Counts::add(std::size_t place) const {
  if (counts_ != nullptr) std::atomic_ref(counts_[place]).fetch_add(1, std::memory_order_relaxed);
}

}  // namespace shim

std::string_view words(ServedBy who) {
  static constexpr std::array<std::string_view, kServedBy> kWords{
      "jute served it",
      "the file has none like it that is faster",
      "its factors lie on the device",
      "its mode is less or more exact than jute's sums",
      "cuBLAS is to emulate it",
      "it is to leave SMs to others",
      "it names an algorithm",
      "cuBLAS judges its arguments",
      "it has an attribute that jute's products lack",
      "the file was measured on another device",
      "its launch was refused"};
  return kWords[static_cast<std::size_t>(who)];
}

ShimReport read_report(const std::string& path, const KeptCalls& kept) {
  ShimReport report{.calls = std::vector<std::uint64_t>(kept.calls.size()),
                    .reasons = std::vector<std::uint64_t>(kServedBy)};
  const int file =
      ::open(shim::report_path(path).c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return report;
  for (std::vector<std::uint64_t>* const part : {&report.reasons, &report.calls}) {
    const std::size_t bytes = part->size() * sizeof(std::uint64_t);
    if (::read(file, part->data(), bytes) != static_cast<ssize_t>(bytes)) break;
  }
  ::close(file);
  return report;
}

}  // namespace jute
