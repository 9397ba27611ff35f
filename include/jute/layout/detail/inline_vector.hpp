#pragma once
// A vector of small trivial values that allocates only beyond its inline capacity.
#include <jute/base/export.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

namespace jute {
namespace JUTE_API layout {

/// The storage of IntTuple and Layout: `inline_capacity` elements live inside the object.
template <class T, int inline_capacity>
class InlineVector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  InlineVector() noexcept : data_(inline_) {}
  InlineVector(const InlineVector& other) : data_(inline_) { append(other.data_, other.size_); }
  InlineVector(InlineVector&& other) noexcept : data_(inline_) { take(other); }
  ~InlineVector() {
    if (data_ != inline_) delete[] data_;
  }
  InlineVector& operator=(const InlineVector& other) {
    if (this != &other) {
      size_ = 0;
      append(other.data_, other.size_);
    }
    return *this;
  }
  InlineVector& operator=(InlineVector&& other) noexcept {
    if (this != &other) {
      if (data_ != inline_) delete[] data_;
      data_ = inline_;
      capacity_ = inline_capacity;
      take(other);
    }
    return *this;
  }

  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] int size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] const T* begin() const noexcept { return data_; }
  [[nodiscard]] const T* end() const noexcept { return data_ + size_; }
  [[nodiscard]] T* begin() noexcept { return data_; }
  [[nodiscard]] T* end() noexcept { return data_ + size_; }
  [[nodiscard]] const T& operator[](int i) const noexcept { return data_[i]; }
  [[nodiscard]] T& operator[](int i) noexcept { return data_[i]; }
  [[nodiscard]] const T& back() const noexcept { return data_[size_ - 1]; }
  [[nodiscard]] T& back() noexcept { return data_[size_ - 1]; }

  void push_back(T value) {
    if (size_ == capacity_) reserve(2 * capacity_);
    data_[size_++] = value;
  }
  void pop_back() noexcept { --size_; }
  void clear() noexcept { size_ = 0; }
  void append(const T* values, int count) {
    if (count == 0) return;
    if (size_ + count > capacity_)
      reserve(size_ + count > 2 * capacity_ ? size_ + count : 2 * capacity_);
    std::memcpy(data_ + size_, values, sizeof(T) * static_cast<std::size_t>(count));
    size_ += count;
  }
  void resize(int count, T value = T{}) {
    if (count > capacity_) reserve(count);
    for (int i = size_; i < count; ++i) data_[i] = value;
    size_ = count;
  }
  void reserve(int capacity) {
    if (capacity <= capacity_) return;
    T* grown = new T[static_cast<std::size_t>(capacity)];
    if (size_ > 0) std::memcpy(grown, data_, sizeof(T) * static_cast<std::size_t>(size_));
    if (data_ != inline_) delete[] data_;
    data_ = grown;
    capacity_ = capacity;
  }

  bool operator==(const InlineVector& other) const noexcept {
    return size_ == other.size_ &&
           (size_ == 0 ||
            std::memcmp(data_, other.data_, sizeof(T) * static_cast<std::size_t>(size_)) == 0);
  }

 private:
  void take(InlineVector& other) noexcept {
    if (other.data_ != other.inline_) {
      data_ = std::exchange(other.data_, other.inline_);
      capacity_ = std::exchange(other.capacity_, inline_capacity);
    } else if (other.size_ > 0) {
      std::memcpy(inline_, other.inline_, sizeof(T) * static_cast<std::size_t>(other.size_));
    }
    size_ = std::exchange(other.size_, 0);
  }

  T* data_;
  int size_ = 0;
  int capacity_ = inline_capacity;
  T inline_[static_cast<std::size_t>(inline_capacity)];
};

}  // namespace layout
}  // namespace jute
