// Threads that take the next problem until there is none.
#include <jute/gemm/prepare_many.hpp>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace jute {
namespace gemm {
namespace {

class Preparing {
 public:
  /// `make` prepares the one at a place.
  Preparing(std::size_t count, std::function<Gemm(std::size_t)> make, const PrepareOptions& options)
      : make_(std::move(make)), options_(options), results_(count) {}

  std::vector<Prepared> all() && {
    const auto most = static_cast<std::size_t>(
        options_.threads > 0 ? options_.threads
                             : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
    {
      std::vector<std::jthread> others;
      try {
        for (std::size_t i = 1; i < std::min(results_.size(), most); ++i)
          others.emplace_back([this] { take_turns(); });
      } catch (const std::system_error&) {
        // The system gives no more threads: those that are there take all turns.
      }
      take_turns();
    }
    if (thrown_) std::rethrow_exception(thrown_);
    return std::move(results_);
  }

 private:
  void take_turns() {
    while (goes_on_) {
      const std::size_t place = next_++;
      if (place >= results_.size()) return;
      prepare_one(place);
      tell(place);
    }
  }

  void prepare_one(std::size_t place) {
    try {
      results_[place].gemm = make_(place);
    } catch (const Exception& exception) {
      results_[place].error = exception.error();
    } catch (const std::bad_alloc&) {
      results_[place].error = Error{.code = ErrorCode::out_of_memory, .operand = "prepare"};
    }
  }

  void tell(std::size_t place) {
    const std::lock_guard lock(telling_);
    ++done_;
    if (!options_.progress || thrown_) return;
    try {
      const PrepareProgress progress{place, done_, results_.size(), results_[place]};
      if (options_.progress(progress) == Continue::no) goes_on_ = false;
    } catch (...) {
      thrown_ = std::current_exception();
      goes_on_ = false;
    }
  }

  const std::function<Gemm(std::size_t)> make_;
  const PrepareOptions& options_;
  std::vector<Prepared> results_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> goes_on_{true};
  std::mutex telling_;  // guards everything below
  std::size_t done_ = 0;
  std::exception_ptr thrown_;
};

}  // namespace
}  // namespace gemm

std::vector<Prepared> prepare(Context& context, std::span<const Problem> problems,
                              const PrepareOptions& options) {
  const auto one = [&](std::size_t at) { return prepare(context, problems[at], options.config); };
  return gemm::Preparing(problems.size(), one, options).all();
}

std::vector<Prepared> prepare(Context& context, const Problem& problem,
                              std::span<const Config> choices, const PrepareOptions& options) {
  const auto one = [&](std::size_t at) { return prepare(context, problem, choices[at]); };
  return gemm::Preparing(choices.size(), one, options).all();
}

std::vector<Prepared> prepare(Context& context, const Cover& cover, const PrepareOptions& options) {
  const auto one = [&](std::size_t at) { return prepare(context, cover.problems[at]); };
  return gemm::Preparing(cover.problems.size(), one, options).all();
}

}  // namespace jute
