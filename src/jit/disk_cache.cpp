// The kernel cache on disk: keys, entries, locks, and what goes when it is full.
#include <fcntl.h>
#include <jute/base/detail/hash.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/jit/disk_cache.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <thread>

#include "jit/cache_entry.hpp"
#include "jit/cache_folder.hpp"

namespace jute {
namespace {

using jit::CacheFolder;
using Missing = CacheFolder::Missing;

constexpr const char* kSuffix = ".kernel";
/// A file that holds what tells an NVRTC from others, and is named by its hash.
constexpr std::string_view kCompilerSuffix = ".nvrtc";
constexpr std::size_t kDigestDigits = 32;
constexpr const char* kNameHole = "${symbol}";
constexpr const char* kLockFile = ".lock";
/// Texts of what the entries are for, one a line.
constexpr const char* kServedFile = "served.problems";
constexpr auto kLongestWait = std::chrono::seconds(30);
constexpr std::int64_t kNsPerSecond = 1000000000;
/// A file that is being written for longer belongs to a process that died.
constexpr std::int64_t kStaleTemporaryNs = 600 * kNsPerSecond;

std::string file_of(const CacheKey& key) { return key.digest + kSuffix; }

/// Has it a name that file_of gives? Other files in the folder are their owner's: they are not
/// listed, counted or removed.
bool is_entry(std::string_view name) {
  const std::size_t digits = name.find_first_not_of("0123456789abcdef");
  return digits == kDigestDigits && name.substr(digits) == kSuffix;
}
bool is_temporary(std::string_view name) { return name.starts_with(jit::kTemporaryPrefix); }

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void write_compiler(const CacheFolder& folder, std::string_view key) {
  const std::string build(jit::key_field(key, "nvrtc"));
  const std::string file = to_string(hash_128(build)) + std::string(kCompilerSuffix);
  if (!folder.read(file)) (void)folder.write(file, std::as_bytes(std::span(build)));
}

/// Removes what dead processes left, and the least recently used entries beyond the limit. A little
/// more than needed goes, so that a full cache does not work for every new entry.
void make_room(const CacheFolder& folder, Index limit_bytes) {
  std::vector<jit::FolderEntry> entries;
  Index total = 0;
  const std::int64_t now = now_ns();
  for (jit::FolderEntry& entry : folder.list()) {
    if (is_temporary(entry.name)) {
      if (now - entry.modified_ns > kStaleTemporaryNs) folder.remove(entry.name);
    } else if (is_entry(entry.name)) {
      total += entry.bytes;
      entries.push_back(std::move(entry));
    }
  }
  if (total <= limit_bytes) return;
  std::ranges::sort(entries, {}, &jit::FolderEntry::modified_ns);
  const Index target = limit_bytes - limit_bytes / 10;
  for (const jit::FolderEntry& entry : entries) {
    if (total <= target) return;
    folder.remove(entry.name);
    total -= entry.bytes;
  }
}

CacheEntry describe(const CacheFolder& folder, const jit::FolderEntry& entry) {
  CacheEntry result{.file = entry.name,
                    .symbol = {},
                    .arch = {},
                    .bytes = entry.bytes,
                    .last_used = entry.modified_ns / kNsPerSecond,
                    .fault = {}};
  const auto bytes = folder.read(entry.name);
  const auto content = bytes ? jit::read_entry(*bytes) : std::nullopt;
  if (!content) {
    result.fault = bytes ? "its bytes are not as they were written" : "it cannot be read";
    return result;
  }
  if (to_string(hash_128(content->key)) + kSuffix != entry.name)
    result.fault = "it lies under another kernel's name";
  result.symbol = content->symbol;
  result.arch = jit::key_field(content->key, "arch");
  return result;
}

bool is_identifier_character(char c) {
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
         (c >= 'a' && c <= 'z');
}

/// The source text with an open hole wherever it names the kernel: two texts that differ in the
/// kernel's name alone are one kernel.
std::string without_name(const Source& source) {
  const std::string& name = source.symbol;
  const std::string& text = source.text;
  std::string result;
  size_t done = 0;
  for (size_t at = text.find(name); !name.empty() && at != std::string::npos;
       at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool is_whole = (at == 0 || !is_identifier_character(text[at - 1])) &&
                          (end == text.size() || !is_identifier_character(text[end]));
    if (at < done || !is_whole) continue;
    result.append(text, done, at - done).append(kNameHole);
    done = end;
  }
  return result.append(text, done);
}

[[noreturn]] void refuse_folder(const std::string& path, const std::string& fault) {
  jute::refuse(ErrorCode::unwritable, "cache", path, "the folder must take entries: " + fault);
}

}  // namespace

CacheKey make_key(const Source& source, Output output, const std::string& compiler_build) {
  CacheKey key;
  key.text = "jute kernel\nschema " + std::to_string(jit::kCacheSchema) + "\nnvrtc " +
             compiler_build + "\narch " + to_string(source.arch) + "\noutput " +
             (output == Output::ptx ? "ptx" : "ptx and cubin") + "\n";
  for (const std::string& option : compile_options(source, output))
    key.text += "option " + option + "\n";
  key.text += "source\n" + without_name(source);
  key.digest = to_string(hash_128(key.text));
  return key;
}

DiskCache::DiskCache(const std::string& directory, CacheAccess access, Index limit_bytes)
    : path_(directory.empty() ? std::string() : directory + "/kernels"),
      access_(access),
      limit_bytes_(limit_bytes) {}

std::string DiskCache::problem() const {
  const bool for_writing = access_ == CacheAccess::read_write;
  const Missing missing = for_writing ? Missing::make : Missing::leave;
  return CacheFolder(path_, missing, for_writing).fault();
}

std::optional<Binary> DiskCache::load(const CacheKey& key, const Source& source) const {
  const CacheFolder folder(path_, Missing::leave, false);
  if (!folder.is_open()) return std::nullopt;
  const std::string file = file_of(key);
  const auto bytes = folder.read(file);
  if (!bytes) return std::nullopt;
  auto content = jit::read_entry(*bytes);
  if (!content || content->key != key.text) return std::nullopt;
  if (access_ == CacheAccess::read_write) folder.touch(file);
  return Binary{.symbol = std::move(content->symbol),
                .arch = source.arch,
                .signature = source.signature,
                .ptx = std::move(content->ptx),
                .cubin = std::move(content->cubin),
                .resources = content->resources,
                .log = std::move(content->log),
                .source_text = source.text};
}

bool DiskCache::store(const CacheKey& key, const Binary& binary) const {
  if (access_ == CacheAccess::read_only) return false;
  const CacheFolder folder(path_, Missing::make, true);
  if (!folder.is_open()) return false;
  const auto bytes = jit::write_entry({.key = key.text,
                                       .symbol = binary.symbol,
                                       .ptx = binary.ptx,
                                       .cubin = binary.cubin,
                                       .resources = binary.resources,
                                       .log = binary.log});
  if (!folder.write(file_of(key), bytes)) return false;
  write_compiler(folder, key.text);
  make_room(folder, limit_bytes_);
  return true;
}

std::vector<std::string> DiskCache::compiler_builds() const {
  std::vector<std::string> builds;
  const CacheFolder folder(path_, Missing::leave, false);
  if (!folder.is_open()) return builds;
  for (const jit::FolderEntry& entry : folder.list()) {
    if (!entry.name.ends_with(kCompilerSuffix)) continue;
    if (const auto bytes = folder.read(entry.name))
      builds.emplace_back(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }
  std::ranges::sort(builds);
  return builds;
}

Index DiskCache::copy_to(const DiskCache& other) const {
  const CacheFolder from(path_, Missing::leave, false), to(other.path_, Missing::make, true);
  std::string fault = to.fault();
  Index copied = 0;
  for (const CacheEntry& entry : list()) {
    if (!fault.empty()) break;
    if (!entry.fault.empty()) continue;
    const auto bytes = from.read(entry.file);
    const auto content = bytes ? jit::read_entry(*bytes) : std::nullopt;
    if (!content) continue;  // it went meanwhile
    if (!to.write(entry.file, *bytes)) fault = "it takes no file: " + entry.file;
    write_compiler(to, content->key);
    ++copied;
  }
  if (!fault.empty()) refuse_folder(other.path_, fault);
  return copied;
}

void DiskCache::list_served(std::span<const std::string> lines) const {
  const CacheFolder folder(path_, Missing::make, true);
  std::string text, fault = folder.fault();
  for (const std::string& line : lines) text += line + '\n';
  if (fault.empty() && !folder.write(kServedFile, std::as_bytes(std::span(text))))
    fault = "it takes no file: " + std::string(kServedFile);
  if (!fault.empty()) refuse_folder(path_, fault);
}

std::optional<std::vector<std::string>> DiskCache::served() const {
  const CacheFolder folder(path_, Missing::leave, false);
  const auto bytes = folder.is_open() ? folder.read(kServedFile) : std::nullopt;
  if (!bytes) return std::nullopt;
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  std::vector<std::string> lines;
  for (size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

DiskCache::Lock::~Lock() { const jit::File closed(file_); }

DiskCache::Lock DiskCache::lock(const CacheKey& key) const {
  if (access_ == CacheAccess::read_only) return {};
  const CacheFolder folder(path_, Missing::make, true);
  if (!folder.is_open()) return {};
  jit::File file = folder.open_lock_file(kLockFile);
  if (!file.is_open()) return {};
  // One byte of the lock file for each key. The lock belongs to this open file, so it holds between
  // threads too, and the system drops it when the process ends in any way.
  struct flock range = {};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = static_cast<off_t>(hash_128(key.text).low >> 2);
  range.l_len = 1;
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  auto pause = std::chrono::milliseconds(1);
  while (::fcntl(file.descriptor(), F_OFD_SETLK, &range) != 0) {
    const bool is_held = errno == EAGAIN || errno == EACCES;
    if (!is_held || std::chrono::steady_clock::now() > deadline) return {};
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::milliseconds(20));
  }
  return Lock(file.release());
}

std::vector<CacheEntry> DiskCache::list() const {
  std::vector<CacheEntry> result;
  const CacheFolder folder(path_, Missing::leave, false);
  if (!folder.is_open()) return result;
  for (const jit::FolderEntry& entry : folder.list())
    if (is_entry(entry.name)) result.push_back(describe(folder, entry));
  std::ranges::sort(result, {}, &CacheEntry::file);
  return result;
}

Index DiskCache::clear() const {
  const CacheFolder folder(path_, Missing::leave, true);
  if (folder.fault().empty() && !folder.is_open()) return 0;
  Index removed = 0;
  std::string fault = folder.fault();
  if (access_ == CacheAccess::read_only) fault = "it is only read";
  if (fault.empty())
    for (const jit::FolderEntry& entry : folder.list()) {
      const bool is_ours = is_entry(entry.name) || is_temporary(entry.name) ||
                           entry.name.ends_with(kCompilerSuffix) || entry.name == kServedFile;
      if (!is_ours) continue;
      if (!folder.remove(entry.name)) fault = "an entry cannot be removed: " + entry.name;
      if (is_entry(entry.name)) ++removed;
    }
  if (!fault.empty())
    jute::refuse(ErrorCode::unwritable, "cache", path_,
                 "the folder must let its entries be removed: " + fault);
  return removed;
}

}  // namespace jute
