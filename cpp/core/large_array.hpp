// A large block of zeros, in large pages where the system has them: a table that is read at random
// places otherwise spends much of its time looking up pages.
#pragma once

#if __has_include(<sys/mman.h>) && !defined(__wasm__)
#include <sys/mman.h>
#endif

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>

namespace bz {

template <class T>
  requires std::is_trivially_copyable_v<T>
class LargeArray {
 public:
  explicit LargeArray(std::size_t size)
      : size_(size), data_(static_cast<T*>(::operator new(bytes(), kAlignment))) {
#ifdef MADV_HUGEPAGE
    madvise(data_.get(), bytes(), MADV_HUGEPAGE);  // a wish; nothing depends on it
#endif
    clear();
  }

  void clear() { std::memset(static_cast<void*>(data_.get()), 0, bytes()); }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  static constexpr std::align_val_t kAlignment{std::size_t{2} << 20};
  struct Free {
    void operator()(T* data) const { ::operator delete(data, kAlignment); }
  };

  std::size_t bytes() const { return size_ * sizeof(T); }

  std::size_t size_;
  std::unique_ptr<T[], Free> data_;
};

}  // namespace bz
