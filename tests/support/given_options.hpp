#pragma once
// Whether an option that is given does something: a line with it is refused, or says or writes
// something else than the line without it.
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace jute::test {

/// A folder with the files that lines name, in which they are run.
class OptionLines {
 public:
  OptionLines();
  ~OptionLines();
  OptionLines(const OptionLines&) = delete;
  OptionLines& operator=(const OptionLines&) = delete;

  /// Runs the line, then once more with each option that its command lists. Tells those that were
  /// taken and changed nothing, but for those of `without_trace`; `every` takes each so many-th.
  [[nodiscard]] std::string idle(std::string_view line, int every = 1, int first = 0);
  /// Options that were tried so far.
  [[nodiscard]] int tried() const { return tried_; }

 private:
  struct Trace;
  [[nodiscard]] Trace trace(const std::vector<std::string>& words) const;
  void write_files() const;

  std::string folder_;
  std::set<std::string> files_;
  int tried_ = 0;
};

/// Lines of all commands that need no GPU: together every way in which a command does its work.
extern const std::vector<std::string_view> kOptionLines;

}  // namespace jute::test
