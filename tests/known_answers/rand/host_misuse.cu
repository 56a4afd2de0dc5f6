// Statuses of the host API for wrong arguments. Calls that may damage the context run each in a process of its own.
// nvcc: -lcurand
#include "session.h"

#include <sys/wait.h>
#include <unistd.h>

namespace {

const curandRngType_t kTypes[] = {
    CURAND_RNG_TEST,           CURAND_RNG_PSEUDO_DEFAULT,   CURAND_RNG_PSEUDO_XORWOW,
    CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MTGP32,   CURAND_RNG_PSEUDO_MT19937,
    CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_DEFAULT, CURAND_RNG_QUASI_SOBOL32,
    CURAND_RNG_QUASI_SCRAMBLED_SOBOL32, CURAND_RNG_QUASI_SOBOL64, CURAND_RNG_QUASI_SCRAMBLED_SOBOL64,
    curandRngType_t(1), curandRngType_t(99), curandRngType_t(102), curandRngType_t(205)};

// Prints the status that `call` returns in a child process, or -1 if the child was killed.
template <class Call>
void in_child(const std::string& name, Call call) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(4);
    // The status does not fit into an exit code: SUCCESS 0, 100 to 106, 201 to 204 do; 999 becomes 250. 2: the kernel failed.
    const int status = call();
    _exit(status == CURAND_STATUS_INTERNAL_ERROR ? 250 : status);
  }
  int state = 0;
  waitpid(child, &state, 0);
  answers::exact(name.c_str(), WIFEXITED(state) ? WEXITSTATUS(state) : -1);
}

void null_generator() {
  unsigned words[4];
  unsigned long long wide[4];
  float floats[4];
  double doubles[4];
  answers::exact("null.destroy", curandDestroyGenerator(nullptr));
  answers::exact("null.stream", curandSetStream(nullptr, nullptr));
  answers::exact("null.seed", curandSetPseudoRandomGeneratorSeed(nullptr, 1));
  answers::exact("null.offset", curandSetGeneratorOffset(nullptr, 1));
  answers::exact("null.ordering", curandSetGeneratorOrdering(nullptr, CURAND_ORDERING_PSEUDO_BEST));
  answers::exact("null.dimensions", curandSetQuasiRandomGeneratorDimensions(nullptr, 1));
  answers::exact("null.seeds", curandGenerateSeeds(nullptr));
  answers::exact("null.generate", curandGenerate(nullptr, words, 4), curandGenerate(nullptr, words, 0));
  answers::exact("null.generate_long", curandGenerateLongLong(nullptr, wide, 4));
  answers::exact("null.uniform", curandGenerateUniform(nullptr, floats, 4), curandGenerateUniformDouble(nullptr, doubles, 4));
  answers::exact("null.normal", curandGenerateNormal(nullptr, floats, 4, 0, 1), curandGenerateNormal(nullptr, floats, 3, 0, 1),
                 curandGenerateNormalDouble(nullptr, doubles, 4, 0, 1));
  answers::exact("null.log_normal", curandGenerateLogNormal(nullptr, floats, 4, 0, 1),
                 curandGenerateLogNormalDouble(nullptr, doubles, 4, 0, 1));
  answers::exact("null.poisson", curandGeneratePoisson(nullptr, words, 4, 1), curandGeneratePoisson(nullptr, words, 4, -1));
  curandDiscreteDistribution_t distribution = nullptr;
  answers::exact("null.distribution", curandDestroyDistribution(nullptr));
  for (double lambda : {0.0, -1.0, 400001.0}) {
    answers::exact(("distribution." + std::to_string(lambda)).c_str(), curandCreatePoissonDistribution(lambda, &distribution));
  }
  int value = 0;
  answers::exact("version", curandGetVersion(&value), value > 0);
  for (int type : {0, 1, 2, 3, -1}) {
    value = -7;
    const curandStatus_t status = curandGetProperty(libraryPropertyType(type), &value);
    answers::exact(("property." + std::to_string(type)).c_str(), status, value >= 0);
  }
}

void each_type() {
  for (curandRngType_t type : kTypes) {
    const std::string name = "type." + std::to_string(type);
    for (bool host : {false, true}) {
      const std::string where = name + (host ? ".host" : ".device");
      Session session(type, host);
      answers::exact((where + ".created").c_str(), session.created);
      if (session.created != CURAND_STATUS_SUCCESS) continue;
      answers::exact((where + ".seed").c_str(), curandSetPseudoRandomGeneratorSeed(session.generator, 1));
      answers::exact((where + ".offset").c_str(), curandSetGeneratorOffset(session.generator, 1));
      answers::exact((where + ".dimensions").c_str(), curandSetQuasiRandomGeneratorDimensions(session.generator, 1));
      answers::exact((where + ".stream").c_str(), curandSetStream(session.generator, cudaStreamPerThread));
      answers::exact((where + ".seeds").c_str(), curandGenerateSeeds(session.generator));
      answers::exact((where + ".zero").c_str(), curandGenerateUniform(session.generator, nullptr, 0),
                     curandGenerateNormal(session.generator, nullptr, 0, 0, 1),
                     curandGeneratePoisson(session.generator, nullptr, 0, 1),
                     curandGeneratePoisson(session.generator, nullptr, 0, 0));
    }
  }
}

// Outputs that the generator cannot write.
void wrong_outputs() {
  in_child("output.create_null", [] { return curandCreateGenerator(nullptr, CURAND_RNG_PSEUDO_XORWOW); });
  in_child("output.create_host_null", [] { return curandCreateGeneratorHost(nullptr, CURAND_RNG_PSEUDO_XORWOW); });
  in_child("output.version_null", [] { return curandGetVersion(nullptr); });
  in_child("output.property_null", [] { return curandGetProperty(MAJOR_VERSION, nullptr); });
  in_child("output.distribution_null", [] { return curandCreatePoissonDistribution(1.0, nullptr); });
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_PHILOX4_32_10,
                               CURAND_RNG_PSEUDO_MTGP32, CURAND_RNG_PSEUDO_MT19937, CURAND_RNG_QUASI_SOBOL32}) {
    const std::string name = "output." + std::to_string(type);
    in_child(name + ".null", [type] {
      Session session(type);
      const curandStatus_t status = curandGenerate(session.generator, nullptr, 16);
      return status != 0 ? int(status) : cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
    });
    in_child(name + ".null_uniform", [type] {
      Session session(type);
      const curandStatus_t status = curandGenerateUniform(session.generator, nullptr, 16);
      return status != 0 ? int(status) : cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
    });
    in_child(name + ".misaligned", [type] {
      Session session(type);
      char* memory = nullptr;
      if (cudaMalloc(&memory, 256) != cudaSuccess) return 1;
      const curandStatus_t status = curandGenerateUniform(session.generator, reinterpret_cast<float*>(memory + 4), 16);
      return status != 0 ? int(status) : cudaDeviceSynchronize() == cudaSuccess ? 0 : 2;
    });
  }
}

// Poisson distributions whose mean is not a number.
void no_mean() {
  in_child("create", [] {
    curandDiscreteDistribution_t distribution = nullptr;
    return curandCreatePoissonDistribution(NAN, &distribution);
  });
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10}) {
    in_child("generate." + std::to_string(type), [type] {
      Session session(type);
      unsigned* out = nullptr;
      if (cudaMalloc(&out, 64) != cudaSuccess) return 1;
      return int(curandGeneratePoisson(session.generator, out, 16, NAN));
    });
  }
}

}  // namespace

int main() {
  no_mean();
  wrong_outputs();
  null_generator();
  each_type();
}
