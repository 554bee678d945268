#include "geste/core/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "core/temp_folder.hpp"

namespace geste {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;
using Names = std::vector<std::string>;

/// Reading and writing without the code under test.
std::string slurp(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void spill(const fs::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// Permissions do not bind the superuser: as long as this lives, the test is somebody else.
class Unprivileged {
 public:
  Unprivileged() : was_root_(::geteuid() == 0 && ::seteuid(65534) == 0) {}
  ~Unprivileged() {
    if (was_root_ && ::seteuid(0) != 0) std::abort();
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  bool was_root_;
};

TEST(LoadFile, GivesTheBytes) {
  const TempFolder folder;
  const std::string bytes("a\0b\r\n\xFF", 6);
  spill(folder / "x", bytes);
  EXPECT_EQ(load_file(folder / "x").value(), bytes);
}

TEST(LoadFile, AnEmptyFileIsEmpty) {
  const TempFolder folder;
  spill(folder / "x", "");
  EXPECT_EQ(load_file(folder / "x").value(), "");
}

TEST(LoadFile, ReadsWhatStatesNoSize) {
  // /proc says size 0; a pipe says nothing and comes in pieces.
  EXPECT_FALSE(load_file("/proc/self/status").value().empty());
  const TempFolder folder;
  const fs::path pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string bytes(300'000, 'x');
  std::thread writer([&] { spill(pipe, bytes); });
  const auto loaded = load_file(pipe);
  writer.join();
  EXPECT_TRUE(loaded.value() == bytes);
}

TEST(LoadFile, SaysWhyThereIsNothing) {
  const TempFolder folder;
  const auto missing = load_file(folder / "none");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, "file.missing");
  EXPECT_EQ(missing.error().file, (folder / "none").string());
  EXPECT_FALSE(missing.error().remedy.empty());

  EXPECT_EQ(load_file(folder.path()).error().code, "file.is_folder");
  EXPECT_EQ(load_file("").error().code, "file.missing");
  EXPECT_EQ(load_file("/dev/zero").error().code, "file.is_device");

  spill(folder / "file", "x");
  EXPECT_EQ(load_file(folder / "file/below").error().code, "file.missing");
}

TEST(WriteFile, LeavesToWhomItBelongs) {
  const TempFolder folder;
  const fs::path file = folder / "secret.yaml";
  spill(file, "old");
  ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
  ASSERT_TRUE(write_file_atomically(file, "new"));
  EXPECT_EQ(slurp(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(LoadFile, SaysThatItMayNot) {
  const TempFolder folder;
  spill(folder / "secret", "x");
  fs::permissions(folder / "secret", fs::perms::none);
  const Unprivileged someone;
  const auto denied = load_file(folder / "secret");
  ASSERT_FALSE(denied);
  EXPECT_EQ(denied.error().code, "file.not_readable");
  EXPECT_EQ(denied.error().remedy, "check the file's permissions");
}

TEST(WriteFile, WritesAndReplaces) {
  const TempFolder folder;
  const std::string bytes("\0\n\xFE", 3);
  EXPECT_TRUE(write_file_atomically(folder / "x", "old, and longer than the new"));
  EXPECT_TRUE(write_file_atomically(folder / "x", bytes));
  EXPECT_EQ(slurp(folder / "x"), bytes);
  EXPECT_EQ(folder.list(), Names{"x"});
}

TEST(WriteFile, WorksInTheCurrentFolder) {
  const TempFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const auto written = write_file_atomically("plain.txt", "here");
  fs::current_path(before);
  EXPECT_TRUE(written);
  EXPECT_EQ(slurp(folder / "plain.txt"), "here");
}

TEST(WriteFile, AMissingFolderIsAnError) {
  const TempFolder folder;
  const auto written = write_file_atomically(folder / "no/such/x", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, "file.not_written");
  EXPECT_EQ(written.error().file, (folder / "no/such/x").string()) << "not the staged name";
  EXPECT_EQ(folder.list(), Names{});
}

TEST(WriteFile, TheOldBytesStayWhereTheFolderIsNotWritable) {
  const TempFolder folder;
  spill(folder / "x", "old");
  fs::permissions(folder.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                     fs::perms::others_read | fs::perms::others_exec);
  {
    const Unprivileged someone;
    const auto written = write_file_atomically(folder / "x", "new");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, "file.not_written");
    EXPECT_EQ(written.error().message, "cannot be written: Permission denied");
  }
  fs::permissions(folder.path(), fs::perms::owner_all);
  EXPECT_EQ(slurp(folder / "x"), "old");
  EXPECT_EQ(folder.list(), Names{"x"});
}

TEST(WriteFile, AFolderIsNotReplaced) {
  const TempFolder folder;
  fs::create_directory(folder / "x");
  const auto written = write_file_atomically(folder / "x", "new");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message, "cannot be written: Is a directory");
  EXPECT_TRUE(fs::is_directory(folder / "x"));
  EXPECT_EQ(folder.list(), Names{"x"});
}

TEST(WriteFile, FollowsLinks) {
  const TempFolder folder;
  fs::create_directory(folder / "real");
  spill(folder / "real/x", "old");
  fs::create_symlink("real/x", folder / "link");
  EXPECT_TRUE(write_file_atomically(folder / "link", "new"));
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(slurp(folder / "real/x"), "new");
  EXPECT_EQ(folder.list(), (Names{"link", "real", "real/x"}));
}

TEST(WriteFile, WritesThroughDevicesAndPipes) {
  EXPECT_TRUE(write_file_atomically("/dev/null", "nothing"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const auto full = write_file_atomically("/dev/full", "something");
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().message, "cannot be written: No space left on device");
}

TEST(WriteFile, ReadersSeeOneWriterWhole) {
  const TempFolder folder;
  const fs::path path = folder / "x";
  std::vector<std::thread> writers;
  for (int k = 0; k < 4; ++k) {
    writers.emplace_back([&path, k] {
      const std::string bytes(50'000, static_cast<char>('a' + k));
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(write_file_atomically(path, bytes));
    });
  }
  for (int i = 0; i < 200; ++i) {
    const auto loaded = load_file(path);
    if (!loaded) continue;
    EXPECT_EQ(loaded->size(), 50'000u);
    EXPECT_EQ(loaded->find_first_not_of(loaded->front()), std::string::npos);
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(folder.list(), Names{"x"});
}

TEST(FileBatch, WritesAllAndMakesItsFolder) {
  const TempFolder folder;
  FileBatch batch(folder / "deep/out");
  batch.add("a.json", "A");
  batch.add("b.csv", "B");
  EXPECT_TRUE(batch.commit());
  EXPECT_EQ(slurp(folder / "deep/out/a.json"), "A");
  EXPECT_EQ(slurp(folder / "deep/out/b.csv"), "B");
  EXPECT_EQ(folder.list(), (Names{"deep", "deep/out", "deep/out/a.json", "deep/out/b.csv"}));
}

TEST(FileBatch, ReplacesWhatIsThere) {
  const TempFolder folder;
  spill(folder / "a", "old");
  FileBatch batch(folder.path());
  batch.add("a", "new");
  EXPECT_TRUE(batch.commit());
  EXPECT_EQ(slurp(folder / "a"), "new");
  EXPECT_EQ(folder.list(), Names{"a"});
}

TEST(FileBatch, RemovesWhatIsUntrueOnlyWhenTheOthersAreThere) {
  const testing::TempFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "old.csv", "old"));
  {
    FileBatch batch(folder.path());
    batch.add("missing/new.txt", "new");  // its folder is not there
    batch.remove("old.csv");
    EXPECT_FALSE(batch.commit());
    EXPECT_EQ(load_file(folder / "old.csv").value(), "old");
  }
  FileBatch batch(folder.path());
  batch.add("new.txt", "new");
  batch.remove("old.csv");
  batch.remove("never.there");
  ASSERT_TRUE(batch.commit());
  EXPECT_FALSE(load_file(folder / "old.csv"));
  EXPECT_EQ(load_file(folder / "new.txt").value(), "new");
}

TEST(FileBatch, WritesNoneWhenOnePlaceIsAFolder) {
  const TempFolder folder;
  spill(folder / "a", "old a");
  fs::create_directory(folder / "c");
  FileBatch batch(folder.path());
  batch.add("a", "new a");
  batch.add("b", "new b");
  batch.add("c", "new c");
  const auto committed = batch.commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().file, (folder / "c").string());
  EXPECT_EQ(slurp(folder / "a"), "old a");
  EXPECT_EQ(folder.list(), (Names{"a", "c"}));
}

TEST(FileBatch, UndoesTheFirstWhenALaterRenameFails) {
  // In a folder with the sticky bit (like /tmp) only its owner may replace a file, which shows at
  // the exchange only, when the files before it have been exchanged already.
  if (::geteuid() != 0) GTEST_SKIP() << "needs two users, hence the superuser";
  const TempFolder folder;
  fs::permissions(folder.path(), fs::perms::all | fs::perms::sticky_bit);
  spill(folder / "c", "another's");
  {
    const Unprivileged someone;
    spill(folder / "a", "old a");
    FileBatch batch(folder.path());
    batch.add("a", "new a");
    batch.add("b", "new b");
    batch.add("c", "new c");
    const auto committed = batch.commit();
    ASSERT_FALSE(committed);
    EXPECT_EQ(committed.error().file, (folder / "c").string());
    EXPECT_EQ(committed.error().message, "cannot be written: Operation not permitted");
  }
  EXPECT_EQ(slurp(folder / "a"), "old a");
  EXPECT_EQ(slurp(folder / "c"), "another's");
  EXPECT_EQ(folder.list(), (Names{"a", "c"}));
}

TEST(FileBatch, LeavesNoFolderBehindWhenItFails) {
  const TempFolder folder;
  FileBatch batch(folder / "new/out");
  batch.add("a", "A");
  batch.add("no/such/folder", "B");
  EXPECT_FALSE(batch.commit());
  EXPECT_EQ(folder.list(), Names{});
}

TEST(FileBatch, AFileInTheWayOfItsFolderIsAnError) {
  const TempFolder folder;
  spill(folder / "out", "a file");
  FileBatch batch(folder / "out");
  batch.add("a", "A");
  const auto committed = batch.commit();
  ASSERT_FALSE(committed);
  EXPECT_EQ(committed.error().code, "file.not_written");
  EXPECT_EQ(slurp(folder / "out"), "a file");
}

TEST(FileBatch, RefusesANameTwice) {
  FileBatch batch("out");
  batch.add("a", "A");
  EXPECT_THROW(batch.add("a", "B"), std::logic_error);
  EXPECT_THROW(batch.add("", "B"), std::logic_error);
}

}  // namespace
}  // namespace geste
