// What this processor can do at most: a loop of fused multiply-adds in registers, and a triad over three arrays.

#include <stddef.h>
#include <stdint.h>

#if defined(__AVX512F__)
enum { BYTES = 64 };
#elif defined(__AVX__)
enum { BYTES = 32 };
#else
enum { BYTES = 16 };
#endif
#if defined(__x86_64__)
#define REGISTER "x"
#else
#define REGISTER "w"
#endif
typedef float vector __attribute__((vector_size(BYTES)));

// Twelve independent sums: an addition takes four cycles, and two units begin one each. Gcc keeps an array of them in memory.
#define EACH(DO) DO(a) DO(b) DO(c) DO(d) DO(e) DO(f) DO(g) DO(h) DO(i) DO(j) DO(k) DO(l)
#define DECLARE(sum) vector sum = {0};
#define FUSE(sum) sum = sum * factor + term;
#define HIDE(sum) __asm__ volatile("" : "+" REGISTER(sum));  // the compiler computes nothing beforehand

// Returns the operations of so many turns: each has a product and a sum for each number of each vector.
uint64_t fused(uint64_t turns)
{
    vector factor = {0}, term = {0};
    factor += 0.5f, term += 1.0f;
    EACH(DECLARE)
    for (uint64_t turn = 0; turn < turns; turn++) {
        EACH(FUSE)
        EACH(HIDE)
    }
    return turns * 12 * (BYTES / sizeof(float)) * 2;
}

// Returns the bytes that so many sweeps over arrays of n floats read and write, by STREAM's count.
uint64_t triad(float *restrict a, const float *restrict b, const float *restrict c, uint64_t n, uint64_t sweeps)
{
    for (uint64_t sweep = 0; sweep < sweeps; sweep++) {
        for (uint64_t i = 0; i < n; i++) a[i] = b[i] + 3.0f * c[i];
        __asm__ volatile("" : : "r"(a) : "memory");
    }
    return sweeps * n * 3 * sizeof(float);
}
