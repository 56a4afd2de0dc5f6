// The kernels of peers.cu in OpenCL C. BLOCK, BINS, TILE and SOFTENING are given by the program.

kernel void add(global const float* a, global const float* b, global float* c, int n) {
  const int i = get_global_id(0);
  if (i < n) c[i] = a[i] + b[i];
}

kernel void reduce(global const float* in, global float* out, int n) {
  local float part[BLOCK];
  const int thread = get_local_id(0);
  float sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += in[i];
  part[thread] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = BLOCK / 2; half_of > 0; half_of /= 2) {
    if (thread < half_of) part[thread] += part[thread + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) out[get_group_id(0)] = part[0];
}

kernel void scan_blocks(global const float* in, global float* out, global float* sums, int n) {
  local float part[2][BLOCK];
  const int thread = get_local_id(0), i = get_global_id(0);
  int from = 0;
  part[0][thread] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < BLOCK; step *= 2) {
    const float before = thread >= step ? part[from][thread - step] : 0;
    part[1 - from][thread] = part[from][thread] + before;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = part[from][thread];
  if (thread == BLOCK - 1) sums[get_group_id(0)] = part[from][thread];
}

kernel void scan_sums(global float* sums, int n) {
  if (get_local_id(0) != 0) return;
  for (int i = 1; i < n; ++i) sums[i] += sums[i - 1];
}

kernel void add_sums(global float* out, global const float* sums, int n) {
  const int i = get_global_id(0), block = get_group_id(0);
  if (block > 0 && i < n) out[i] += sums[block - 1];
}

kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
  local float left[TILE][TILE], right[TILE][TILE];
  const int y = get_local_id(1), x = get_local_id(0), row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    left[y][x] = a[row * n + tile + x];
    right[y][x] = b[(tile + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}

kernel void histogram(global const int* in, global int* out, int n) {
  local int part[BINS];
  const int thread = get_local_id(0);
  part[thread] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&part[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[thread], part[thread]);
}

kernel void nbody(global const float4* bodies, global float* out, int n) {
  local float4 tile[BLOCK];
  const int thread = get_local_id(0), i = get_global_id(0);
  const float4 own = bodies[i];
  float x = 0;
  for (int begin = 0; begin < n; begin += BLOCK) {
    tile[thread] = bodies[begin + thread];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < BLOCK; ++j) {
      const float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
      const float square = dx * dx + dy * dy + dz * dz + SOFTENING;
      x += tile[j].w * dx / (square * sqrt(square));
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = x;
}
