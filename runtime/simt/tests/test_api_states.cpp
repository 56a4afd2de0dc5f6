// The state table of the runtime API (api_states.inc), cell by cell.
#include "api_states.h"
#include "kernel_test.h"

#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <map>
#include <sstream>

namespace api_states {
namespace {

constexpr const char* kTable =
#include "api_states.inc"
    ;

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "api_states.inc: %s\n", what.c_str());
  std::exit(2);
}

using Codes = std::map<std::string, simtError_t>;

simtError_t error_named(const std::string& name) {
  for (int code = 1; code < 1000; ++code) {
    const auto error = static_cast<simtError_t>(code);
    if (simtGetErrorName(error) == "simtError" + name) return error;
  }
  refuse("there is no error '" + name + "'");
}

// Format: "ok~", "cun!", "ok+?": an error, then the effects of the call. A "?" is a remark for the reader.
Outcome read_outcome(const Codes& codes, const std::string& text) {
  const std::size_t end = text.find_first_of("~!+?");
  const auto code = codes.find(text.substr(0, end));
  if (code == codes.end()) refuse("there is no code '" + text + "'");
  Outcome outcome;
  outcome.error = code->second;
  outcome.waited = text.find('~') != std::string::npos;
  outcome.invalidated = text.find('!') != std::string::npos;
  outcome.nodes = text.find('+') != std::string::npos ? 1 : 0;
  return outcome;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::vector<Cell> read_table() {
  std::istringstream table(kTable);
  Codes codes{{"ok", simtSuccess}};
  std::vector<Cell> cells;
  std::vector<std::string> states;
  std::string block;
  for (std::string line; std::getline(table, line);) {
    const auto words = words_of(line);
    if (words.empty() || words[0][0] == '#') continue;
    if (words[0] == "code") {
      codes[words.at(1)] = error_named(words.at(2));
    } else if (words[0] == "block") {
      block = words.at(1);
    } else if (words[0] == "states") {
      states.assign(words.begin() + 1, words.end());
    } else {
      if (words.size() != states.size() + 1) refuse("a row of another length: " + line);
      for (std::size_t i = 0; i < states.size(); ++i) {
        cells.push_back({block, words[0], states[i], read_outcome(codes, words[i + 1])});
      }
    }
  }
  return cells;
}

namespace {

constexpr unsigned kSecondsPerCell = 60;
constexpr std::size_t kAtOnce = 4;

std::string describe(const Outcome& outcome) {
  std::string text = simtGetErrorName(outcome.error);
  if (outcome.waited) text += ", waits";
  if (outcome.invalidated) text += ", breaks the capture";
  if (outcome.nodes != 0) text += ", adds a node";
  return text;
}

struct Running {
  const Cell* cell;
  pid_t process;
  int result;  ///< file descriptor from which the outcome is read
};

Running start(const Cell& cell) {
  int ends[2];
  REQUIRE_EQ(pipe(ends), 0);
  std::fflush(nullptr);
  std::cout.flush();
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    alarm(kSecondsPerCell);
    std::signal(SIGALRM, SIG_DFL);
    // Suppress the report of the fault in the state "sticky".
    static_cast<void>(!std::freopen("/dev/null", "w", cell.state == "sticky" ? stderr : stdout));
    const Outcome outcome = make_call(cell.state, find_call(cell.call), cell.expected.waited);
    const ssize_t written = write(ends[1], &outcome, sizeof outcome);
    _exit(written == sizeof outcome ? 0 : 1);
  }
  close(ends[1]);
  return {&cell, process, ends[0]};
}

void finish(const Running& running) {
  Outcome outcome;
  const ssize_t size = read(running.result, &outcome, sizeof outcome);
  close(running.result);
  int status = 0;
  waitpid(running.process, &status, 0);
  std::string found = size == sizeof outcome ? describe(outcome) : "no outcome";
  if (WIFSIGNALED(status)) {
    found += WTERMSIG(status) == SIGALRM ? ", hangs"
                                         : ", dies by signal " + std::to_string(WTERMSIG(status));
  }
  const Cell& cell = *running.cell;
  const bool right = size == sizeof outcome && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
                     outcome == cell.expected;
  CHECK_MESSAGE(right, cell.block, ": ", cell.call, " in state ", cell.state, ": ", found,
                "; expected: ", describe(cell.expected));
}

void run_cells() {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr std::size_t kStep = 11;  // processes start slowly under sanitizers
#else
  constexpr std::size_t kStep = 1;
#endif
  const std::vector<Cell> cells = read_table();
  const char* only = std::getenv("API_STATES_ONLY");  // "call" or "call/state": run only these
  std::deque<Running> running;
  for (std::size_t i = 0; i < cells.size(); i += kStep) {
    const Cell& cell = cells[i];
    REQUIRE_MESSAGE(find_call(cell.call), cell.call);
    if (only != nullptr && std::strcmp(only, cell.call.c_str()) != 0 &&
        cell.call + "/" + cell.state != only) {
      continue;
    }
    if (running.size() == kAtOnce) {
      finish(running.front());
      running.pop_front();
    }
    running.push_back(start(cell));
  }
  for (const Running& last : running) finish(last);
}

// Each cell runs in a process that is forked from a new instance of this program, which has not
// used the runtime.
TEST_CASE("every call gives what the state table says, in every state") {
  if (std::getenv("API_STATES_RUN") != nullptr) return run_cells();
  std::fflush(nullptr);
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    setenv("API_STATES_RUN", "1", 1);
    execl("/proc/self/exe", "simt_tests", "--no-colors", "--minimal",
          "--test-case=every call gives what the state table says*", nullptr);
    _exit(127);
  }
  int status = 0;
  REQUIRE_EQ(waitpid(process, &status, 0), process);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace api_states
