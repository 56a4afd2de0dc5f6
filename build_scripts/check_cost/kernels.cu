// Kernels whose cost under the checks build_scripts/bench_checks measures. Prints the name of each kernel and its time in
// nanoseconds: the shortest of several launches. The CPU time of a process is no measure: the system counts it in steps
// that are longer than these kernels.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>

constexpr int kCount = 1 << 20;
constexpr int kBlock = 256;
constexpr int kTile = 16;
constexpr int kSide = 128;
constexpr int kBins = 64;

__global__ void add(const float* a, const float* b, float* sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sum[i] = a[i] + b[i];
}

__global__ void tree_sum(const float* in, float* out) {
    __shared__ float part[kBlock];
    part[threadIdx.x] = in[blockIdx.x * kBlock + threadIdx.x];
    __syncthreads();
    for (int half = kBlock / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void tiles(const float* a, const float* b, float* product) {
    __shared__ float left[kTile][kTile], right[kTile][kTile];
    const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
    float sum = 0;
    for (int tile = 0; tile < kSide; tile += kTile) {
        left[threadIdx.y][threadIdx.x] = a[row * kSide + tile + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * kSide + column];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
        __syncthreads();
    }
    product[row * kSide + column] = sum;
}

__global__ void histogram(const float* in, unsigned* bins) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[static_cast<int>(in[i]) % kBins], 1u);
}

double nanoseconds() {
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class Launch>
void measure(const char* name, Launch launch) {
    launch();
    cudaDeviceSynchronize();
    double best = 1e18;
    for (int round = 0; round < 7; ++round) {
        const double begin = nanoseconds();
        launch();
        cudaDeviceSynchronize();
        const double taken = nanoseconds() - begin;
        if (taken < best) best = taken;
    }
    std::printf("%s %.0f\n", name, best);
}

int main() {
    float *a, *b, *c;
    unsigned* bins;
    cudaMalloc(&a, kCount * sizeof(float));
    cudaMalloc(&b, kCount * sizeof(float));
    cudaMalloc(&c, kCount * sizeof(float));
    cudaMalloc(&bins, kBins * sizeof(unsigned));
    cudaMemset(a, 0, kCount * sizeof(float));
    cudaMemset(b, 0, kCount * sizeof(float));
    cudaMemset(c, 0, kCount * sizeof(float));
    cudaMemset(bins, 0, kBins * sizeof(unsigned));
    const dim3 grid(kSide / kTile, kSide / kTile), block(kTile, kTile);
    measure("add", [&] { add<<<kCount / kBlock, kBlock>>>(a, b, c); });
    measure("tree_sum", [&] { tree_sum<<<kCount / kBlock, kBlock>>>(a, c); });
    measure("tiles", [&] { tiles<<<grid, block>>>(a, b, c); });
    measure("histogram", [&] { histogram<<<kCount / kBlock, kBlock>>>(a, bins); });
    return cudaDeviceSynchronize() != cudaSuccess;
}
