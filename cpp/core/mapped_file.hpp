// A file in memory, read as it is needed.
#pragma once

#if defined(__wasm__)
#include <map>
#include <vector>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"

namespace bz {

#if defined(__wasm__)

// A page has no files: what it fetched is laid down here under a name, and read once.
inline std::map<std::string, std::vector<char>>& fetched_files() {
  static std::map<std::string, std::vector<char>> files;
  return files;
}

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    auto found = fetched_files().extract(path);
    if (!found) fail("cannot read " + path);
    bytes_ = std::move(found.mapped());
  }

  std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }

 private:
  std::vector<char> bytes_;
};

#else

class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail("cannot read " + path);
    struct stat status{};
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      data_ = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
    }
    close(file);
    if (data_ == MAP_FAILED || data_ == nullptr) {
      data_ = nullptr;
      fail("cannot read " + path);
    }
  }
  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) munmap(data_, size_);
  }

  std::string_view bytes() const { return {static_cast<const char*>(data_), size_}; }

 private:
  void* data_ = nullptr;
  std::size_t size_ = 0;
};

#endif

}  // namespace bz
