// libedit, where it was found; else std::getline.
#include "eval/line_editor.hpp"
#include "tree/words.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <utility>

#ifdef JUTE_LIBEDIT
#include <histedit.h>
#endif

namespace jute::command {

std::string common_start(const std::vector<std::string>& words) {
  if (words.empty()) return {};
  std::string start = words.front();
  for (const std::string& word : words)
    start.resize(static_cast<size_t>(std::ranges::mismatch(start, word).in1 - start.begin()));
  return start;
}

#ifdef JUTE_LIBEDIT

bool edits_lines() { return true; }

namespace {

constexpr int kMostKept = 1000;

/// The name that ends at the cursor.
std::string_view word_before(const char* begin, const char* cursor) {
  const char* start = cursor;
  while (start != begin && is_word_char(start[-1])) --start;
  return {start, static_cast<size_t>(cursor - start)};
}

/// Ctrl-C as a message that stays until it is taken: a signal alone is lost where it comes between
/// the prompt and the read that it should end.
class Interrupts {
 public:
  Interrupts() {
    if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) return;
    told_ = ends_[1];
    struct sigaction action = {};
    action.sa_flags = SA_RESTART;
    action.sa_handler = [](int) {
      const int error = errno;
      (void)!::write(told_, "", 1);
      errno = error;
    };
    sigaction(SIGINT, &action, &before_);
  }
  ~Interrupts() {
    if (ends_[0] < 0) return;
    sigaction(SIGINT, &before_, nullptr);
    for (const int end : ends_) close(end);
  }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// Until `file` can be read or an interrupt was told, which is taken: then false.
  [[nodiscard]] bool wait_for(int file) const {
    for (;;) {
      std::array<pollfd, 2> waiting{{{ends_[0], POLLIN, 0}, {file, POLLIN, 0}}};
      if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
      std::array<char, 64> bytes;
      if (::read(ends_[0], bytes.data(), bytes.size()) > 0) return false;
      if (waiting[1].revents != 0) return true;
    }
  }

 private:
  static inline volatile std::sig_atomic_t told_ = -1;
  int ends_[2] = {-1, -1};
  struct sigaction before_ = {};
};

}  // namespace

class LineEditor::Terminal {
 public:
  explicit Terminal(const Options& options)
      : options_(options), editor_(el_init("jute", stdin, stdout, stderr)), lines_(history_init()) {
    if (editor_ == nullptr || lines_ == nullptr) throw std::bad_alloc();
    HistEvent event;
    history(lines_, &event, H_SETSIZE, kMostKept);
    history(lines_, &event, H_SETUNIQUE, 1);
    if (!options_.history_file.empty())
      history(lines_, &event, H_LOAD, options_.history_file.c_str());
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, history, lines_);
    el_set(editor_, EL_PROMPT, &Terminal::prompt);
    el_wset(editor_, EL_GETCFN, &Terminal::read_key);
    // Narrow names would be copied by el_set, and nothing frees the copies.
    el_wset(editor_, EL_ADDFN, L"jute-complete", L"Complete a name", &Terminal::complete);
    el_set(editor_, EL_BIND, "\t", "jute-complete", nullptr);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
    // The user's own keys, from ~/.editrc.
    el_source(editor_, nullptr);
  }
  ~Terminal() {
    HistEvent event;
    if (!options_.history_file.empty())
      history(lines_, &event, H_SAVE, options_.history_file.c_str());
    history_end(lines_);
    el_end(editor_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::optional<std::string> next() {
    const Interrupts interrupts;
    interrupts_ = &interrupts;
    is_interrupted_ = false;
    // libedit would show the prompt first: keys that come in between would be the terminal's own,
    // and a ^D among them no end of input any more.
    el_set(editor_, EL_PREP_TERM, 1);
    int count = 0;
    const char* text = el_gets(editor_, &count);
    if (is_interrupted_) {
      el_reset(editor_);
      std::fputs("^C\n", stdout);
      return std::string();
    }
    if (text == nullptr || count <= 0) return std::nullopt;
    std::string line(text, static_cast<size_t>(count));
    while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
    HistEvent event;
    if (!line.empty()) history(lines_, &event, H_ENTER, line.c_str());
    return line;
  }

 private:
  static Terminal& of(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return *static_cast<Terminal*>(self);
  }
  static char* prompt(EditLine* editor) {
    // libedit reads the text only.
    return const_cast<char*>(of(editor).options_.prompt.c_str());
  }

  /// As libedit's own: 1 for a key, 0 at the end of input, -1 where reading failed.
  static int read_key(EditLine* editor, wchar_t* key) {
    Terminal& self = of(editor);
    char byte = 0;
    for (;;) {
      if (!self.interrupts_->wait_for(STDIN_FILENO)) {
        self.is_interrupted_ = true;
        return -1;
      }
      const ssize_t taken = ::read(STDIN_FILENO, &byte, 1);
      if (taken < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (taken <= 0) return static_cast<int>(taken);
      // The command keeps the C locale, in which a byte is a character or none.
      const wint_t wide = std::btowc(static_cast<unsigned char>(byte));
      if (wide == WEOF) continue;
      *key = static_cast<wchar_t>(wide);
      return 1;
    }
  }

  /// One tab writes what all words share; where that is nothing more, it lists them.
  static unsigned char complete(EditLine* editor, wint_t /*key*/) {
    const Terminal& self = of(editor);
    const LineInfo* line = el_line(editor);
    const std::string_view start = word_before(line->buffer, line->cursor);
    const auto words =
        self.options_.completer ? self.options_.completer(start) : std::vector<std::string>();
    if (words.empty()) return CC_ERROR;
    const std::string shared = common_start(words);
    if (shared.size() > start.size() && shared.starts_with(start))
      return el_insertstr(editor, shared.c_str() + start.size()) == 0 ? CC_REFRESH : CC_ERROR;
    if (words.size() == 1) return CC_NORM;
    std::string list = "\n";
    for (const std::string& word : words) list += word + "  ";
    std::fputs((list + "\n").c_str(), stdout);
    return CC_REDISPLAY;
  }

  const Options& options_;
  EditLine* editor_;
  History* lines_;
  const Interrupts* interrupts_ = nullptr;
  bool is_interrupted_ = false;
};

LineEditor::LineEditor(Options options, std::ostream& out)
    : options_(std::move(options)), out_(out) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return;
  out_.flush();
  terminal_ = std::make_unique<Terminal>(options_);
}

#else

bool edits_lines() { return false; }

class LineEditor::Terminal {
 public:
  static std::optional<std::string> next() { return std::nullopt; }
};

LineEditor::LineEditor(Options options, std::ostream& out)
    : options_(std::move(options)), out_(out) {}

#endif

LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::next() {
  out_.flush();
  if (terminal_) return terminal_->next();
  out_ << options_.prompt << std::flush;
  return lines_.next();
}

}  // namespace jute::command
