// Direction vectors and scramble constants of Sobol generators: the first dimensions in full, checksums of the others.
// nvcc: -lcurand
#include "session.h"

namespace {

constexpr int kDimensions = 20000;

template <class Word, size_t kBits, class Vectors>
void put_vectors(const std::string& name, int status, Vectors* vectors) {
  answers::exact((name + ".status").c_str(), status);
  if (status != 0) return;
  std::vector<Word> all(&vectors[0][0], &vectors[0][0] + kBits * kDimensions);
  answers::exact((name + ".checksum").c_str(), checksum(all));
  for (int dimension : {0, 1, 2, 3, 4, 5, 6, 7, 8, 20, 100, 500, 1110, 1111, 5000, 10000, 15000, 19998, 19999}) {
    answers::exact_array((name + "." + std::to_string(dimension)).c_str(), vectors[dimension], kBits);
  }
  // A checksum for each 500 dimensions narrows a difference.
  for (int dimension = 0; dimension < kDimensions; dimension += 500) {
    const std::vector<Word> part(&vectors[dimension][0], &vectors[dimension][0] + kBits * 500);
    answers::exact((name + ".from." + std::to_string(dimension)).c_str(), checksum(part));
  }
}

template <class Word>
void put_constants(const std::string& name, int status, const Word* constants) {
  put_numbers(name, status, status == 0 ? std::vector<Word>(constants, constants + kDimensions) : std::vector<Word>{});
  if (status == 0) answers::exact_array((name + ".first").c_str(), constants, 100);
}

}  // namespace

int main() {
  for (int set : {101, 102, 103, 104, 0, 105}) {
    curandDirectionVectors32_t* narrow = nullptr;
    const curandStatus_t status = curandGetDirectionVectors32(&narrow, curandDirectionVectorSet_t(set));
    put_vectors<unsigned, 32>("vectors32." + std::to_string(set), status, narrow);
    curandDirectionVectors64_t* wide = nullptr;
    const curandStatus_t wide_status = curandGetDirectionVectors64(&wide, curandDirectionVectorSet_t(set));
    put_vectors<unsigned long long, 64>("vectors64." + std::to_string(set), wide_status, wide);
  }
  unsigned* narrow = nullptr;
  const curandStatus_t status = curandGetScrambleConstants32(&narrow);
  put_constants("constants32", status, narrow);
  unsigned long long* wide = nullptr;
  const curandStatus_t wide_status = curandGetScrambleConstants64(&wide);
  put_constants("constants64", wide_status, wide);
}
