// Turns what calls throw into statuses, and puts work into streams.
#include "call.hpp"

#include <cstdint>
#include <cstdio>
#include <mutex>
#include <set>

namespace jute::stand_in {

using namespace jute::driver;

void say(const char* call, const std::string& reason) {
  static std::mutex mutex;
  static auto* const said = new std::set<std::string>;
  const std::string text = std::string("jute: ") + call + ": " + reason + "\n";
  const std::lock_guard lock(mutex);
  if (said->insert(text).second) (void)std::fputs(text.c_str(), stderr);
}

Status guarded(const char* call, const std::function<Status()>& body) {
  try {
    return body();
  } catch (const Exception& refusal) {
    say(call, refusal.what());
    return status_of(refusal.error().code);
  } catch (const std::bad_alloc&) {
    return kOutOfMemory;
  } catch (const std::exception& fault) {
    say(call, fault.what());
    return kUnknown;
  }
}

bool is_null_stream(StreamHandle stream) {
  // CU_STREAM_LEGACY is 1, CU_STREAM_PER_THREAD 2.
  return reinterpret_cast<std::uintptr_t>(stream) <= 2;
}

Status submit(Process& process, ContextState& context, StreamHandle handle, Work work) {
  Stream place;
  if (!is_null_stream(handle)) {
    const auto stream = process.streams.find(handle);
    if (stream == nullptr) return kInvalidHandle;
    const std::lock_guard lock(process.mutex());
    if (stream->recording != nullptr && stream->recording->is_open) {
      stream->recording->work.push_back(std::move(work));
      return kSuccess;
    }
    place = stream->stream;
  }
  const Status status = work(place);
  if (const Status failure = process.take_findings(); failure != kSuccess)
    context.failure = failure;
  return status;
}

}  // namespace jute::stand_in
