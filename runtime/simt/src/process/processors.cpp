// Sources: cgroups(7), proc_pid_mountinfo(5), and the kernel's documentation:
// admin-guide/cgroup-v2.rst (cpu.max) and scheduler/sched-bwc.rst (cpu.cfs_quota_us).
#include "process/processors.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <vector>

namespace simtrt {
namespace {

/// A mounted hierarchy of control groups.
struct Hierarchy {
  std::string mount_point;
  std::string mount_root;  ///< control group that is mounted at the mount point
  bool unified = false;    ///< true for version 2
};

bool lists(const std::string& commas, const std::string& name) {
  return ("," + commas + ",").find("," + name + ",") != std::string::npos;
}

// Format of a line: 36 35 98:0 /root /mount/point options - type source super-options
std::vector<Hierarchy> hierarchies(const std::string& root) {
  std::vector<Hierarchy> found;
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream before(line);
    std::istringstream after(line.substr(dash + 3));
    std::string skipped, type, source, options;
    Hierarchy one;
    before >> skipped >> skipped >> skipped >> one.mount_root >> one.mount_point;
    after >> type >> source >> options;
    one.unified = type == "cgroup2";
    if (one.unified || (type == "cgroup" && lists(options, "cpu"))) found.push_back(one);
  }
  return found;
}

/// Control group of the process in a hierarchy. Format of a line: 3:cpu,cpuacct:/path, or 0::/path
/// for version 2.
std::string own_group(const std::string& root, bool unified) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (unified ? controllers.empty() : lists(controllers, "cpu")) return line.substr(second + 1);
  }
  return "";
}

double quota_of(const std::string& folder, bool unified) {
  double quota = 0;
  double period = 0;
  if (unified) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;  // "max" is no number
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : 0;
}

/// Smallest quota from the process's group up to the mount point. A group's quota applies to all
/// its descendants.
double quota_in(const Hierarchy& hierarchy, const std::string& root) {
  std::string group = own_group(root, hierarchy.unified);
  const std::string& top = hierarchy.mount_root;
  if (top != "/" && group.compare(0, top.size(), top) == 0) group.erase(0, top.size());
  double least = 0;
  for (;;) {
    const double quota = quota_of(root + hierarchy.mount_point + group, hierarchy.unified);
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
    const std::size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.erase(slash);
  }
}

unsigned affine_processors() {
  // Tries larger sets, because a machine may have more processors than a cpu_set_t has bits.
  for (int processors = 1024; processors <= 1 << 20; processors *= 2) {
    cpu_set_t* set = CPU_ALLOC(static_cast<std::size_t>(processors));
    if (set == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(processors));
    const bool known = sched_getaffinity(0, size, set) == 0;
    const int count = known ? CPU_COUNT_S(size, set) : 0;
    CPU_FREE(set);
    if (known) return static_cast<unsigned>(std::max(count, 1));
  }
  return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

}  // namespace

double processor_quota(const std::string& root) {
  double least = 0;
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    const double quota = quota_in(hierarchy, root);
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
  }
  return least;
}

unsigned usable_processors() {
  const unsigned affine = affine_processors();
  const double quota = processor_quota("");
  return quota == 0 ? affine : std::min(affine, static_cast<unsigned>(std::ceil(quota)));
}

}  // namespace simtrt
