#pragma once
// Work that needs more stack than callers' threads may have.
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>

namespace jute::base {

/// Runs `work` on a thread with 64 MiB of stack, of which what is touched becomes memory, and waits
/// for it.
///   throws  what `work` throws; std::system_error: the system gives no thread
void on_own_stack(const std::function<void()>& work);

/// Has this thread so many bytes of stack left?
[[nodiscard]] bool has_stack(std::size_t bytes);

/// Does `work` here where there is stack for planning, which takes 0.7 MB, else on a stack
/// of its own: threads of hosts often have 128 KiB to 1 MiB.
template <class Work>
[[nodiscard]] auto with_enough_stack(const Work& work) {
  constexpr std::size_t kEnough = std::size_t{2} << 20;
  if (has_stack(kEnough)) return work();
  std::optional<decltype(work())> result;
  on_own_stack([&] { result.emplace(work()); });
  return *std::move(result);
}

}  // namespace jute::base
