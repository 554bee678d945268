#include "geste/core/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "geste/core/writable.hpp"

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

std::string describe(int reason) { return std::generic_category().message(reason); }

Error write_error(const fs::path& path, int reason) {
  return file_error("file.not_written", path,
                    fmt::format("cannot be written: {}", describe(reason)),
                    "check that the folder exists, is writable and has space");
}

Error read_error(const fs::path& path, int reason) {
  const bool denied = reason == EACCES || reason == EPERM;
  return file_error(
      "file.not_readable", path, fmt::format("cannot be read: {}", describe(reason)),
      denied ? "check the file's permissions" : "check the disk or the network drive");
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

/// A name beside `path` that nobody else uses: not another thread, not another process.
fs::path make_staged_path(const fs::path& path) {
  static std::atomic<unsigned> counter = 0;
  return path.parent_path() / fmt::format(".{}.{}.{}.partial", path.filename().string(), ::getpid(),
                                          counter.fetch_add(1));
}

/// Writes to `place`; an error names `target`, which the user knows.
Result<void> write_all(const fs::path& place, std::string_view bytes, const fs::path& target) {
  const Descriptor out(::open(place.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (out.get() < 0) return write_error(target, errno);
  while (!bytes.empty()) {
    const ssize_t n = ::write(out.get(), bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return write_error(target, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  // Pipes and devices cannot be synchronised and say EINVAL.
  if (::fsync(out.get()) != 0 && errno != EINVAL) return write_error(target, errno);
  return {};
}

void remove_quietly(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

/// Reads to the end. `expected` is only a first guess: pipes and /proc state no size.
Result<std::string> read_all(int fd, std::size_t expected, const fs::path& path) {
  constexpr std::size_t kChunk = 65536;
  // One byte more than expected, so that the end shows without growing.
  std::string bytes(expected + 1, '\0');
  std::size_t have = 0;
  while (true) {
    if (have == bytes.size()) bytes.resize(2 * have + kChunk);
    const ssize_t n = ::read(fd, bytes.data() + have, bytes.size() - have);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return read_error(path, errno);
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  bytes.resize(have);
  return bytes;
}

/// Where bytes for `path` really go: behind its links.
fs::path follow_links(const fs::path& path) {
  std::error_code fault;
  if (!fs::is_symlink(path, fault)) return path;
  const fs::path target = fs::canonical(path, fault);
  return fault ? path : target;
}

/// Devices and pipes are written through; renaming over /dev/stdout would replace the device.
bool is_special(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

/// The folders that must be made for `folder` to exist, innermost first.
std::vector<fs::path> find_missing_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  std::error_code ignored;
  for (fs::path at = folder; !at.empty() && !fs::exists(at, ignored); at = at.parent_path()) {
    missing.push_back(at);
  }
  return missing;
}

/// One file of a batch on its way: staged beside its place, then exchanged with what was there.
class StagedFile {
 public:
  explicit StagedFile(const fs::path& target)
      : target_(follow_links(target)),
        fresh_(make_staged_path(target_)),
        kept_(make_staged_path(target_)) {}

  [[nodiscard]] Result<void> stage(std::string_view bytes) const {
    std::error_code ignored;
    if (fs::is_directory(target_, ignored)) return write_error(target_, EISDIR);
    return write_all(fresh_, bytes, target_);
  }

  /// Puts the new file in place and keeps the old one at hand. Changes nothing when it fails.
  [[nodiscard]] Result<void> exchange() {
    // A second link keeps the target present throughout; some file systems have none.
    has_old_ = ::link(target_.c_str(), kept_.c_str()) == 0;
    if (!has_old_ && errno != ENOENT) {
      if (::rename(target_.c_str(), kept_.c_str()) != 0) return write_error(target_, errno);
      has_old_ = true;
    }
    if (::rename(fresh_.c_str(), target_.c_str()) != 0) {
      const int reason = errno;
      if (has_old_) restore();
      return write_error(target_, reason);
    }
    return {};
  }

  /// As it was before a successful exchange().
  void undo() {
    if (has_old_) return restore();
    remove_quietly(target_);
  }

  void remove_leftovers() const {
    remove_quietly(fresh_);
    if (!stranded_) remove_quietly(kept_);
  }

 private:
  void restore() { stranded_ = ::rename(kept_.c_str(), target_.c_str()) != 0; }

  fs::path target_;
  fs::path fresh_;
  fs::path kept_;
  bool has_old_ = false;
  bool stranded_ = false;  ///< the old file could not be put back, and must not be lost
};

/// Stages all, exchanges all; when one fails, undoes those before it.
Result<void> write_together(std::vector<StagedFile>& files,
                            const std::vector<std::string_view>& bytes) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (Result<void> staged = files[i].stage(bytes[i]); !staged) return staged;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    Result<void> done = files[i].exchange();
    if (done) continue;
    while (i > 0) files[--i].undo();
    return done;
  }
  return {};
}

}  // namespace

Result<std::string> load_file(const fs::path& path) {
  const Descriptor in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (in.get() < 0) {
    const int reason = errno;
    if (reason != ENOENT && reason != ENOTDIR) return read_error(path, reason);
    return file_error("file.missing", path, "there is no such file",
                      "check the path; relative paths start at the current folder");
  }
  struct stat info {};
  if (::fstat(in.get(), &info) != 0) return read_error(path, errno);
  if (S_ISDIR(info.st_mode)) {
    return file_error("file.is_folder", path, "is a folder, not a file", "name a file inside it");
  }
  // Devices never end (/dev/zero), except where a person types.
  if ((S_ISCHR(info.st_mode) && ::isatty(in.get()) == 0) || S_ISBLK(info.st_mode)) {
    return file_error("file.is_device", path, "is a device, not a file", "name a file");
  }
  try {
    return read_all(in.get(), static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)), path);
  } catch (const std::exception&) {  // bad_alloc or length_error
    return file_error("file.too_large", path,
                      fmt::format("does not fit into memory ({} bytes)", info.st_size),
                      "use a smaller file or a machine with more memory");
  }
}

Result<void> write_file_atomically(const fs::path& path, std::string_view bytes) {
  const fs::path target = follow_links(path);
  if (is_special(target)) return write_all(target, bytes, path);
  const fs::path staged = make_staged_path(target);
  Result<void> written = write_all(staged, bytes, path);
  // Whoever may read the file stays the same.
  struct stat before {};
  if (written && ::stat(target.c_str(), &before) == 0)
    static_cast<void>(::chmod(staged.c_str(), before.st_mode & 07777));
  if (written && ::rename(staged.c_str(), target.c_str()) != 0) written = write_error(path, errno);
  if (!written) remove_quietly(staged);
  return written;
}

void FileBatch::add(std::string name, std::string bytes) {
  const auto same = [&name](const Item& item) { return item.name == name; };
  if (name.empty() || std::any_of(items_.begin(), items_.end(), same)) {
    throw std::logic_error(fmt::format("FileBatch::add: '{}' is empty or there already", name));
  }
  items_.push_back({std::move(name), std::move(bytes)});
}

Result<void> check_writable(const fs::path& folder) {
  const std::vector<fs::path> made = find_missing_folders(folder);
  std::error_code fault;
  fs::create_directories(folder, fault);
  Result<void> outcome;
  if (fault) outcome = write_error(folder, fault.value());
  const fs::path probe = make_staged_path(folder / "result");
  if (outcome) outcome = write_all(probe, "", folder);
  remove_quietly(probe);
  for (const fs::path& one : made) remove_quietly(one);
  return outcome;
}

Result<void> FileBatch::commit() const {
  const std::vector<fs::path> made = find_missing_folders(folder_);
  std::error_code fault;
  fs::create_directories(folder_, fault);
  Result<void> outcome;
  if (fault) outcome = write_error(folder_, fault.value());

  std::vector<StagedFile> files;
  std::vector<std::string_view> bytes;
  for (const Item& item : items_) {
    files.emplace_back(folder_ / item.name);
    bytes.push_back(item.bytes);
  }
  if (outcome) outcome = write_together(files, bytes);

  for (const StagedFile& file : files) file.remove_leftovers();
  for (const std::string& name : removed_)
    if (outcome) remove_quietly(folder_ / name);
  if (!outcome) {
    for (const fs::path& folder : made) remove_quietly(folder);
  }
  return outcome;
}

}  // namespace geste
