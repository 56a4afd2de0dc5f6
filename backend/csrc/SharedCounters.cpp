#include "SharedCounters.h"

#include <c10/util/Exception.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

namespace at::cuda::backend {
namespace {

constexpr uint64_t kCounters = 8192;  // in one file
constexpr size_t kBytes = kCounters * sizeof(uint64_t);

// Names a counter in another process: the process's descriptor of the file, and the file's identity, by
// which a later file with the same number is recognised.
struct Address {
  int64_t process;
  int64_t descriptor;
  uint64_t inode;
  uint64_t filesystem;
  uint64_t index;
};

bool identify(int descriptor, Address& address) {
  struct stat file {};
  if (fstat(descriptor, &file) != 0) return false;
  address.inode = file.st_ino;
  address.filesystem = file.st_dev;
  return true;
}

}  // namespace

struct CounterFile {
  Address address{};
  int descriptor = -1;  // open in the process that made the file
  std::atomic<uint64_t>* counters = nullptr;

  bool map(int file) {
    void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return false;
    counters = static_cast<std::atomic<uint64_t>*>(memory);
    return true;
  }

  ~CounterFile() {
    if (counters != nullptr) munmap(counters, kBytes);
    if (descriptor >= 0) close(descriptor);
  }
};

namespace {

struct Files {
  std::mutex mutex;
  std::shared_ptr<CounterFile> own;  // last file of this process
  uint64_t used = kCounters;         // number of counters of `own` that were used
  std::vector<std::pair<std::shared_ptr<CounterFile>, uint64_t>> recycled;
  std::vector<std::weak_ptr<CounterFile>> opened;  // files of other processes
};

Files& files() {
  static auto& all = *new Files();  // never destroyed: storages release counters until the end
  return all;
}

std::shared_ptr<CounterFile> makeFile() {
  auto file = std::make_shared<CounterFile>();
  file->descriptor = memfd_create("torch-shared-counters", MFD_CLOEXEC);
  TORCH_CHECK(file->descriptor >= 0 && ftruncate(file->descriptor, kBytes) == 0 &&
                  file->map(file->descriptor) && identify(file->descriptor, file->address),
              "memory for sharing tensors with other processes: ", std::strerror(errno));
  file->address.process = getpid();
  file->address.descriptor = file->descriptor;
  return file;
}

std::shared_ptr<CounterFile> openFile(const Address& address) {
  const std::string path = "/proc/" + std::to_string(address.process) + "/fd/" +
                           std::to_string(address.descriptor);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return nullptr;
  auto file = std::make_shared<CounterFile>();
  file->address = address;
  Address found{};
  const bool same = identify(descriptor, found) && found.inode == address.inode &&
                    found.filesystem == address.filesystem && file->map(descriptor);
  close(descriptor);
  return same ? file : nullptr;
}

}  // namespace

SharedCounter SharedCounter::make() {
  Files& all = files();
  const std::lock_guard<std::mutex> lock(all.mutex);
  if (!all.recycled.empty()) {
    auto [file, index] = std::move(all.recycled.back());
    all.recycled.pop_back();
    return {std::move(file), index};
  }
  if (all.used == kCounters) {
    all.own = makeFile();
    all.used = 0;
  }
  return {all.own, all.used++};
}

SharedCounter SharedCounter::open(const std::string& bytes) {
  Address address{};
  TORCH_CHECK(bytes.size() == sizeof address, "these bytes are no counter of another process");
  std::memcpy(&address, bytes.data(), sizeof address);
  TORCH_CHECK(address.index < kCounters, "these bytes are no counter of another process");
  Files& all = files();
  const std::lock_guard<std::mutex> lock(all.mutex);
  auto& opened = all.opened;
  for (auto it = opened.begin(); it != opened.end();) {
    auto file = it->lock();
    if (file != nullptr && file->address.inode == address.inode &&
        file->address.filesystem == address.filesystem) {
      return {std::move(file), address.index};
    }
    it = file == nullptr ? opened.erase(it) : std::next(it);
  }
  // A process may get its own description back.
  if (address.process == getpid() && all.own != nullptr &&
      all.own->address.inode == address.inode) {
    return {all.own, address.index};
  }
  auto file = openFile(address);
  if (file != nullptr) opened.push_back(file);
  return {std::move(file), address.index};
}

std::string SharedCounter::address() const {
  Address address = file_->address;
  address.index = index_;
  return {reinterpret_cast<const char*>(&address), sizeof address};
}

uint64_t SharedCounter::value() const { return file_->counters[index_].load(); }

void SharedCounter::add(int64_t number) const {
  file_->counters[index_].fetch_add(static_cast<uint64_t>(number));
}

void SharedCounter::recycle() const {
  Files& all = files();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.recycled.emplace_back(file_, index_);
}

}  // namespace at::cuda::backend
