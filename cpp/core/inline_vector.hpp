// A vector that lives inside its owner and never allocates; copying costs only what is in it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bz {

template <class T, int Capacity>
  requires std::is_trivially_copyable_v<T>
class InlineVector {
 public:
  InlineVector() = default;
  InlineVector(int count, T value) : size_(count) {
    assert(count <= Capacity);
    std::fill_n(data_, count, value);
  }
  InlineVector(const InlineVector& other) : size_(other.size_) {
    std::copy_n(other.data_, size_, data_);
  }
  InlineVector& operator=(const InlineVector& other) {
    size_ = other.size_;
    std::copy_n(other.data_, size_, data_);
    return *this;
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool full() const { return size_ == Capacity; }
  void clear() { size_ = 0; }
  void push_back(T value) {
    assert(size_ < Capacity);
    data_[size_++] = value;
  }

  T& operator[](int i) { return data_[i]; }
  const T& operator[](int i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  std::int32_t size_ = 0;
  T data_[Capacity];
};

}  // namespace bz
