#pragma once
// A stream with an owner.
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>

namespace JUTE_API jute {

/// A stream of a back end that lives as long as this.
class OwnStream {
 public:
  explicit OwnStream(Backend& backend) : backend_(backend), stream_(backend.create_stream()) {}
  ~OwnStream() { backend_.destroy_stream(stream_); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;
  [[nodiscard]] Stream get() const { return stream_; }

 private:
  Backend& backend_;
  Stream stream_;
};

}  // namespace jute
