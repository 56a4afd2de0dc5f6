// A call from one library to another library reads the function's address from a table of the calling
// library (ELF: the addresses that the relocations in DT_JMPREL and DT_RELA describe). This file
// changes entries of that table.

#include "ImportedFunctions.h"

#include <c10/util/Exception.h>

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace at::cuda::backend::python {
namespace {

#if defined(__aarch64__)
constexpr auto kCalled = R_AARCH64_JUMP_SLOT;
constexpr auto kAddressed = R_AARCH64_GLOB_DAT;
#else
constexpr auto kCalled = R_X86_64_JUMP_SLOT;
constexpr auto kAddressed = R_X86_64_GLOB_DAT;
#endif

// Tables of one loaded library.
struct Tables {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * calls = nullptr;
  size_t call_bytes = 0;
  const ElfW(Rela) * others = nullptr;
  size_t other_bytes = 0;
  uintptr_t read_only_begin = 0;  // Addresses that the loader made read-only.
  uintptr_t read_only_end = 0;
};

Tables tablesOf(const dl_phdr_info& library) {
  Tables tables;
  const ElfW(Dyn)* entry = nullptr;
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const auto& segment = library.dlpi_phdr[i];
    const auto address = library.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_DYNAMIC) {
      entry = reinterpret_cast<const ElfW(Dyn)*>(address);
    } else if (segment.p_type == PT_GNU_RELRO) {
      tables.read_only_begin = address;
      tables.read_only_end = address + segment.p_memsz;
    }
  }
  // glibc stores addresses in this table, musl stores offsets.
  const auto at = [&](ElfW(Addr) value) {
    return value < library.dlpi_addr ? library.dlpi_addr + value : value;
  };
  for (; entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    const auto address = at(entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_SYMTAB: tables.symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: tables.names = reinterpret_cast<const char*>(address); break;
      case DT_JMPREL: tables.calls = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_PLTRELSZ: tables.call_bytes = entry->d_un.d_val; break;
      case DT_RELA: tables.others = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_RELASZ: tables.other_bytes = entry->d_un.d_val; break;
      default: break;
    }
  }
  return tables;
}

// Makes the page of an address writable during the object's lifetime.
class WritablePage {
 public:
  WritablePage(uintptr_t address, const Tables& tables) {
    const auto size = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    if (address >= tables.read_only_begin && address < tables.read_only_end) {
      page_ = reinterpret_cast<void*>(address & ~(size - 1));
      size_ = size;
      TORCH_CHECK(mprotect(page_, size_, PROT_READ | PROT_WRITE) == 0,
                  "the system does not permit changing imported functions: ", strerror(errno));
    }
  }
  ~WritablePage() {
    if (page_ != nullptr) {
      mprotect(page_, size_, PROT_READ);
    }
  }
  WritablePage(const WritablePage&) = delete;
  WritablePage& operator=(const WritablePage&) = delete;

 private:
  void* page_ = nullptr;
  size_t size_ = 0;
};

size_t replaceIn(const ElfW(Rela) * begin, size_t bytes, const Tables& tables, uintptr_t base,
                 const std::vector<ImportedFunction>& functions) {
  size_t replaced = 0;
  const auto* end = begin + bytes / sizeof(*begin);
  for (const auto* entry = begin; entry != end; ++entry) {
    const auto kind = ELF64_R_TYPE(entry->r_info);
    if (kind != kCalled && kind != kAddressed) {
      continue;
    }
    const char* name = tables.names + tables.symbols[ELF64_R_SYM(entry->r_info)].st_name;
    for (const auto& function : functions) {
      const auto& symbols = function.symbols;
      if (std::find(symbols.begin(), symbols.end(), name) != symbols.end()) {
        const auto address = base + entry->r_offset;
        WritablePage page(address, tables);
        // Other threads may call the function at the same time.
        __atomic_store_n(reinterpret_cast<void**>(address), function.replacement, __ATOMIC_RELEASE);
        ++replaced;
      }
    }
  }
  return replaced;
}

struct Request {
  const std::string& library;
  const std::vector<ImportedFunction>& functions;
  size_t replaced;
};

int visit(dl_phdr_info* library, size_t, void* data) {
  auto& request = *static_cast<Request*>(data);
  const std::string path = library->dlpi_name;
  if (path.substr(path.rfind('/') + 1) != request.library) {
    return 0;
  }
  const auto tables = tablesOf(*library);
  if (tables.symbols != nullptr && tables.names != nullptr) {
    const auto replace = [&](const ElfW(Rela) * begin, size_t bytes) {
      request.replaced += replaceIn(begin, bytes, tables, library->dlpi_addr, request.functions);
    };
    replace(tables.calls, tables.call_bytes);
    replace(tables.others, tables.other_bytes);
  }
  return 1;
}

}  // namespace

size_t replaceImportedFunctions(const std::string& library,
                                const std::vector<ImportedFunction>& functions) {
  Request request{library, functions, 0};
  dl_iterate_phdr(visit, &request);
  return request.replaced;
}

}  // namespace at::cuda::backend::python
