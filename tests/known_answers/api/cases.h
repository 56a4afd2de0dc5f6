// Lines with results of calls, and cases that run in processes of their own.
#pragma once

#include <cuda_runtime.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "answers.h"

namespace cases {

// Name of an error without the prefix, which depends on the runtime's name.
inline const char* word(cudaError_t error) { return cudaGetErrorName(error) + 4; }

// Name of a line: blanks would separate names in differences.yaml.
struct Name {
  char text[160];
  explicit Name(const char* name, const char* prefix = "") {
    std::snprintf(text, sizeof text, "%s%s%s", prefix, *prefix == 0 ? "" : ".", name);
    for (char* p = text; *p != 0; p++) {
      if (*p == ' ') *p = '_';
    }
  }
};

// One line: the call's result, the last error, which the line resets, and values.
template <class... T>
void put(const char* name, cudaError_t error, T... values) {
  const cudaError_t last = cudaGetLastError();
  std::printf("%s: %s last %s", Name(name).text, word(error), word(last));
  if (sizeof...(values) > 0) std::printf(" values");
  (answers::put_exactly(values), ...);
  std::printf("\n");
}

template <class... T>
void put_values(const char* name, T... values) {
  answers::exact(Name(name).text, values...);
}

template <class T>
void put_array(const char* name, const T* values, int count) {
  answers::exact_array(Name(name).text, values, count);
}

inline sigjmp_buf before_call;
inline thread_local volatile sig_atomic_t calling = 0;

inline void on_crash(int signal) {
  if (calling != 0) {
    calling = 0;
    siglongjmp(before_call, 1);
  }
  std::signal(signal, SIG_DFL);
  raise(signal);
}

struct Case {
  const char* name;
  void (*run)();
};

inline unsigned seconds = 10;     // longest time of a case
inline const char* current = "";  // name of the running case, as a prefix of its lines

template <class... T>
void say(const char* name, cudaError_t error, T... values) {
  put(Name(name, current).text, error, values...);
}

template <class... T>
void say_values(const char* name, T... values) {
  answers::exact(Name(name, current).text, values...);
}

// Runs each case in a process that has not used CUDA, several at once; prints their lines in the order of the cases, and how
// each process ended.
inline void run_all(const Case* all, int count, int at_once = 8) {
  for (int begin = 0; begin < count; begin += at_once) {
    const int end = begin + at_once < count ? begin + at_once : count;
    std::FILE* texts[64];
    pid_t processes[64];
    for (int i = begin; i < end; i++) {
      texts[i - begin] = std::tmpfile();
      std::fflush(nullptr);
      processes[i - begin] = fork();
      if (processes[i - begin] == 0) {
        dup2(fileno(texts[i - begin]), 1);
        std::setvbuf(stdout, nullptr, _IOLBF, 1 << 16);
        if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
        std::signal(SIGSEGV, on_crash);
        alarm(seconds);
        current = all[i].name;
        all[i].run();
        std::fflush(nullptr);
        _exit(0);
      }
    }
    for (int i = begin; i < end; i++) {
      int status = 0;
      waitpid(processes[i - begin], &status, 0);
      std::FILE* text = texts[i - begin];
      std::fseek(text, 0, SEEK_END);
      std::rewind(text);
      char part[4096];
      for (std::size_t n; (n = std::fread(part, 1, sizeof part, text)) > 0;) std::fwrite(part, 1, n, stdout);
      std::fclose(text);
      if (WIFSIGNALED(status)) {
        std::printf("%s: signal %d\n", Name("process", all[i].name).text, WTERMSIG(status));
      } else {
        std::printf("%s: exit %d\n", Name("process", all[i].name).text, WEXITSTATUS(status));
      }
    }
  }
  std::fflush(stdout);
}

}  // namespace cases

// One line with the result of a call, which is evaluated before the values that follow it. In a case of `run_all`, a call
// that crashes gets a line, too.
#define CASES_LINE(put, prefix, name, call, ...)                     \
  do {                                                       \
    if (sigsetjmp(cases::before_call, 1) == 0) {             \
      cases::calling = 1;                                    \
      const cudaError_t result_of_call = (call);             \
      cases::calling = 0;                                    \
      put(name, result_of_call, ##__VA_ARGS__);              \
    } else {                                                 \
      std::printf("%s: crash\n", cases::Name(name, prefix).text); \
    }                                                        \
  } while (false)

#define CALL(name, call, ...) CASES_LINE(cases::put, "", name, call, ##__VA_ARGS__)

// The same within a case of `run_all`, whose name is part of the line's name.
#define SAY(name, call, ...) CASES_LINE(cases::say, cases::current, name, call, ##__VA_ARGS__)
