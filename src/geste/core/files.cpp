#include "geste/core/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace geste {
namespace fs = std::filesystem;
namespace {

Error file_error(const char* code, const fs::path& path, std::string message, std::string remedy) {
  Error error;
  error.code = code;
  error.file = path.string();
  error.message = std::move(message);
  error.remedy = std::move(remedy);
  return error;
}

Error write_error(const fs::path& path, int reason) {
  return file_error("file.not_written", path,
                    fmt::format("cannot be written: {}", std::strerror(reason)),
                    "check that the folder exists, is writable and has space");
}

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

fs::path staged_path(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}.partial", path.filename().string(), ::getpid());
}

Result<void> write_all(const fs::path& path, std::string_view bytes) {
  const Descriptor out(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.get() < 0) return write_error(path, errno);
  while (!bytes.empty()) {
    const ssize_t n = ::write(out.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fsync(out.get()) != 0) return write_error(path, errno);
  return {};
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

}  // namespace

Result<std::string> load_file(const fs::path& path) {
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return file_error(
        missing ? "file.missing" : "file.not_readable", path,
        missing ? "there is no such file" : fmt::format("cannot be read: {}", std::strerror(errno)),
        missing ? "check the path; relative paths start at the current folder"
                : "check the file's permissions");
  }
  struct stat info {};
  if (::fstat(in.get(), &info) != 0 || S_ISDIR(info.st_mode)) {
    return file_error("file.is_folder", path, "is a folder, not a file", "name a file inside it");
  }
  std::string bytes(static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)), '\0');
  std::size_t have = 0;
  while (true) {
    if (have == bytes.size()) {
      // At the stated size one more read tells whether it was the end (pipes state no size).
      char probe = 0;
      const ssize_t n = ::read(in.get(), &probe, 1);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      bytes.resize(std::max<std::size_t>(2 * bytes.size(), 4096));
      bytes[have++] = probe;
    }
    const ssize_t n = ::read(in.get(), bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return file_error("file.not_readable", path,
                        fmt::format("cannot be read: {}", std::strerror(errno)),
                        "check the disk or the network drive");
    }
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

Result<void> write_file_atomically(const fs::path& path, std::string_view bytes) {
  const fs::path staged = staged_path(path);
  if (Result<void> written = write_all(staged, bytes); !written) {
    remove_quietly(staged);
    Error error = written.error();
    error.file = path.string();
    return error;
  }
  if (::rename(staged.c_str(), path.c_str()) != 0) {
    const int reason = errno;
    remove_quietly(staged);
    return write_error(path, reason);
  }
  return {};
}

void FileBatch::add(std::string name, std::string bytes) {
  items_.push_back({std::move(name), std::move(bytes)});
}

Result<void> FileBatch::commit() const {
  std::error_code fault;
  fs::create_directories(folder_, fault);
  if (fault) return write_error(folder_, fault.value());

  std::vector<fs::path> staged;
  Result<void> outcome;
  for (const Item& item : items_) {
    staged.push_back(staged_path(folder_ / item.name));
    outcome = write_all(staged.back(), item.bytes);
    if (!outcome) break;
  }
  for (std::size_t i = 0; outcome && i < items_.size(); ++i) {
    const fs::path target = folder_ / items_[i].name;
    if (::rename(staged[i].c_str(), target.c_str()) != 0) outcome = write_error(target, errno);
  }
  if (!outcome) {
    for (const fs::path& path : staged) remove_quietly(path);
  }
  return outcome;
}

}  // namespace geste
