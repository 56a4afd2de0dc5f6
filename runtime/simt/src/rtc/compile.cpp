#include "rtc/compile.h"

#include "environment.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

extern char** environ;

namespace simtrt::rtc {
namespace {

namespace fs = std::filesystem;

// FNV-1a; the name of a compiled program in the cache contains two of these numbers.
std::uint64_t hash(const std::string& text, std::uint64_t value) {
  for (const unsigned char byte : text) value = (value ^ byte) * 0x100000001B3;
  return value;
}

fs::path cache_folder() {
  if (const char* own = std::getenv("SIMT_RTC_CACHE")) return own;
  if (const char* cache = std::getenv("XDG_CACHE_HOME")) return fs::path(cache) / "simt-rtc";
  const char* home = std::getenv("HOME");
  return (home != nullptr ? fs::path(home) / ".cache" : fs::temp_directory_path()) / "simt-rtc";
}

// Path of the library of this process; empty if the system does not know it.
fs::path own_library() {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(&compile), &info) != 0 && info.dli_fname != nullptr
             ? fs::absolute(info.dli_fname)
             : fs::path();
}

// Environment of simtcc. PORTER_SIMT_RUNTIME makes simtcc link the library of this process instead of
// building another one.
std::vector<std::string> environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
  if (std::getenv("PORTER_SIMT_RUNTIME") == nullptr)
    all.push_back("PORTER_SIMT_RUNTIME=" + own_library().parent_path().string());
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Runs a command whose output goes to a file; returns its exit status, or 127.
int run(std::vector<std::string> command, const fs::path& output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  std::vector<std::string> variables = environment();
  pid_t child = 0;
  const int error = posix_spawnp(&child, command[0].c_str(), &actions, nullptr,
                                 pointers(command).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Path, size and time of the library of this process: a program compiled with the headers of another build is not used.
std::string own_build() {
  const std::string library = own_library().string();
  struct stat file {};
  if (stat(library.c_str(), &file) != 0) return library;
  return library + '\0' + std::to_string(file.st_size) + '\0' +
         std::to_string(file.st_mtim.tv_sec) + '.' + std::to_string(file.st_mtim.tv_nsec);
}

std::string library_name(const Source& source, const std::vector<std::string>& options) {
  const ComputeCapability capability = environment_compute_capability();
  std::string all = own_build() + '\0' + std::to_string(capability.major) + '.' +
                    std::to_string(capability.minor) + '\0' + source.text;
  for (const auto& [name, text] : source.headers) all += '\0' + name + '\0' + text;
  for (const std::string& option : options) all += '\0' + option;
  char name[40];
  std::snprintf(name, sizeof name, "%016llx%016llx.so",
                static_cast<unsigned long long>(hash(all, 0xCBF29CE484222325)),
                static_cast<unsigned long long>(hash(all, 0x9E3779B97F4A7C15)));
  return name;
}

}  // namespace

std::string compile(const Source& source, const std::vector<std::string>& options,
                    std::string* log) {
  const fs::path library = cache_folder() / library_name(source, options);
  log->clear();
  if (fs::exists(library)) return library.string();
  fs::create_directories(cache_folder());
  std::string scratch = (cache_folder() / "compile-XXXXXX").string();
  if (mkdtemp(scratch.data()) == nullptr) {
    *log = "cannot make a folder in " + cache_folder().string() + "\n";
    return "";
  }
  const fs::path folder = scratch;
  for (const auto& [name, text] : source.headers) {
    if (fs::path(name).is_absolute() || name.find("..") != std::string::npos) continue;
    write(folder / name, text);
  }
  const fs::path file = folder / (fs::path(source.name).filename().string() + ".cu");
  write(file, source.text);
  const char* driver = std::getenv("SIMT_RTC_COMPILER");
  const std::string made = (folder / "image.so").string();
  std::vector<std::string> command{driver != nullptr ? driver : "simtcc", "-cubin", "-I", folder.string(),
                                   // NVRTC declares these functions without a header.
                                   "-D", "__CUDACC_RTC__", "-include", "cassert", "-include", "cstdio"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {file.string(), "-o", made});
  const int status = run(command, folder / "log");
  *log = read(folder / "log");
  if (status == 127) *log += command[0] + " does not start: install porter, or set SIMT_RTC_COMPILER\n";
  std::error_code ignored;
  if (status == 0) fs::rename(made, library, ignored);
  fs::remove_all(folder, ignored);
  return status == 0 && fs::exists(library) ? library.string() : "";
}

std::string library_of(const void* image) {
  const char* text = static_cast<const char*>(image);
  if (text == nullptr || std::strncmp(text, kImage, std::strlen(kImage)) != 0) return "";
  const char* begin = text + std::strlen(kImage);
  return std::string(begin, std::strcspn(begin, "\n"));
}

}  // namespace simtrt::rtc
