"""The CUDA C in front of every kernel: the functions of `language.py` that CUDA does not have under the same name."""

TYPES = {
    "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short", "int32": "int", "int64": "long long",
    "float16": "__half", "bfloat16": "__nv_bfloat16", "float32": "float", "float64": "double",
}  # fmt: skip
MOST_TOGETHER = 32  # arrays of a list; 15 lists fit into the 4 KiB of a kernel's arguments
HEADERS = {"float16": "#include <cuda_fp16.h>\n", "bfloat16": "#include <cuda_bf16.h>\n"}

PRELUDE = """
__device__ __forceinline__ long long block() { return blockIdx.x; }
__device__ __forceinline__ long long blocks() { return gridDim.x; }
__device__ __forceinline__ long long thread() { return threadIdx.x; }
__device__ __forceinline__ long long threads() { return blockDim.x; }
template <typename V, typename W> __device__ __forceinline__ V maximum(V a, W b) { return (a > b || a != a) ? a : V(b); }
template <typename V, typename W> __device__ __forceinline__ V minimum(V a, W b) { return (a < b || a != a) ? a : V(b); }
template <typename V, typename W> __device__ __forceinline__ V power(V a, W b) { return pow(a, V(b)); }
__device__ __forceinline__ unsigned int uint32(long long value) { return (unsigned int)value; }
__device__ __forceinline__ unsigned int product32(unsigned int a, unsigned int b) { return a * b; }
template <typename V> struct Sum {
    static __device__ __forceinline__ V of(V a, V b) { return a + b; }
};
template <typename V> struct Max {
    static __device__ __forceinline__ V of(V a, V b) { return maximum(a, b); }
};
template <template <typename> class Op, typename V> __device__ V block_reduce(V value) {
    __shared__ V part[32];  // one for each warp
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = (blockDim.x + 31) >> 5;
    for (int offset = 16; offset; offset >>= 1) value = Op<V>::of(value, __shfl_xor_sync(0xffffffffu, value, offset));
    __syncthreads();  // all have read what an earlier reduction has left
    if (lane == 0) part[warp] = value;
    __syncthreads();
    V result = part[0];
    for (int i = 1; i < warps; i++) result = Op<V>::of(result, part[i]);
    return result;
}
template <typename V> __device__ __forceinline__ V block_sum(V value) { return block_reduce<Sum>(value); }
template <typename V> __device__ __forceinline__ V block_max(V value) { return block_reduce<Max>(value); }
template <typename V> __device__ V block_prefix(V value) {
    __shared__ V part[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    V before = value;
    for (int offset = 1; offset < 32; offset <<= 1) {
        V left = __shfl_up_sync(0xffffffffu, before, offset);
        if (lane >= offset) before += left;
    }
    __syncthreads();
    if (lane == 31) part[warp] = before;
    __syncthreads();
    V total = before - value;
    for (int i = 0; i < warp; i++) total += part[i];
    return total;
}
__device__ __forceinline__ void atomic_add(long long* array, long long i, long long value) {
    atomicAdd((unsigned long long*)array + i, (unsigned long long)value);
}
template <typename V, typename W> __device__ __forceinline__ void atomic_add(V* array, long long i, W value) {
    atomicAdd(array + i, V(value));
}
template <typename V, typename W> __device__ __forceinline__ void atomic_or(V* array, long long i, W value) {
    atomicOr(array + i, V(value));
}
"""
"""A block of reductions has a multiple of 32 threads, so that all lanes of a warp take part; `launch` sees to it."""

LISTS = f"""
template <typename V> struct Arrays {{
    V* at[{MOST_TOGETHER}];
    __device__ __forceinline__ V* operator[](long long i) const {{ return at[i]; }}
}};
template <typename V> struct Numbers {{
    V at[{MOST_TOGETHER}];
    __device__ __forceinline__ V operator[](long long i) const {{ return at[i]; }}
}};
"""
"""What lists of arrays and of numbers are, which stand in the arguments of a kernel by value."""
