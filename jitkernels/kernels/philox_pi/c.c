/* philox_pi in C: a plain loop over blocks, and a loop with the vectors of GCC and clang for AVX2 and AVX-512. */
#include <stdint.h>

enum { CHUNK = 65536 }; /* blocks with the same high counter word; 32 bits can count their points */
static const uint32_t M0 = 0xD2511F53, M1 = 0xCD9E8D57, W0 = 0x9E3779B9, W1 = 0xBB67AE85;

static inline void philox(uint32_t c[4], uint64_t seed) {
  uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
  for (int round = 0; round < 10; round++, k0 += W0, k1 += W1) {
    uint64_t p0 = (uint64_t)M0 * c[0], p1 = (uint64_t)M1 * c[2];
    c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0, c[1] = (uint32_t)p1;
    c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1, c[3] = (uint32_t)p0;
  }
}

static inline uint32_t inside(uint32_t word) {
  uint32_t x = word & 0xFFFF, y = word >> 16;
  return x * x + x <= ~(y * y + y);
}

static uint32_t count(uint64_t first, uint32_t blocks, uint64_t seed) {
  uint32_t hits = 0;
  for (uint32_t i = 0; i < blocks; i++) {
    uint32_t c[4] = {(uint32_t)first + i, (uint32_t)(first >> 32), 0, 0};
    philox(c, seed);
    hits += inside(c[0]) + inside(c[1]) + inside(c[2]) + inside(c[3]);
  }
  return hits;
}

#ifdef __AVX2__
#include <immintrin.h>

/* In a vector each word has 64 bits, so a product of two words is one instruction. It reads only the low halves, so nothing
 * is packed and the high halves may hold anything. Only this product and the sum of squares below need intrinsics; gcc 12
 * makes six instructions of a 64-bit product in C. */
#ifdef __AVX512BW__
typedef __m512i vector;
#define PRODUCT _mm512_mul_epu32   /* of the low halves of 64 bits */
#define PAIR_SUM _mm512_madd_epi16 /* two products of signed 16-bit numbers, added up in 32 bits */
#else
typedef __m256i vector;
#define PRODUCT _mm256_mul_epu32
#define PAIR_SUM _mm256_madd_epi16
#endif
enum { LANES = sizeof(vector) / 8, VECTORS = 4, STEP = LANES * VECTORS }; /* four in flight hide the products' latency */
typedef uint64_t lanes __attribute__((vector_size(sizeof(vector))));
typedef int32_t numbers __attribute__((vector_size(sizeof(vector))));
typedef uint32_t words __attribute__((vector_size(sizeof(vector))));

static inline lanes all(uint64_t word) { return word - (lanes){0}; }
static inline lanes product(lanes a, uint64_t word) { return (lanes)PRODUCT((vector)a, (vector)all(word)); }
static inline words pair_sum(lanes a, lanes b) { return (words)PAIR_SUM((vector)a, (vector)b); }

/* For each 32 bits, 1 if the point lies outside. A point's halves are signed, u = x - 2^15 and v = y - 2^15, so that one
 * instruction makes two squares. The half of -(u (u + 1) + v (v + 1)), which is exact, and -2^15 (u + v) are subtracted from
 * 2^30 + 2^15. This gives (x (x + 1) + y (y + 1)) / 2: below 2^32, and outside if it is 2^31 or more. */
static inline words outside(lanes points) {
  words squares = (words)((numbers)pair_sum(points, ~points) >> 1);
  return ((1u << 30 | 1u << 15) - squares - pair_sum(points, all(0x8000800080008000))) >> 31;
}

static uint32_t count_vectors(uint64_t first, uint32_t blocks, uint64_t seed) {
  words missed = {0};
  lanes block = all(first);
  for (int i = 0; i < LANES; i++) block[i] += (uint64_t)i;
  for (uint32_t i = 0; i < blocks; i += STEP) {
    lanes c0[VECTORS], c1[VECTORS], c2[VECTORS], c3[VECTORS];
    for (int j = 0; j < VECTORS; j++, block += LANES) c0[j] = block, c1[j] = all(first >> 32), c2[j] = c3[j] = all(0);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++, k0 += W0, k1 += W1)
      for (int j = 0; j < VECTORS; j++) {
        lanes p0 = product(c0[j], M0), p1 = product(c2[j], M1);
        if (round < 9) {
          c0[j] = p1 >> 32 ^ c1[j] ^ k0, c1[j] = p1;
          c2[j] = p0 >> 32 ^ c3[j] ^ k1, c3[j] = p0;
        } else { /* both halves are points; the key also subtracts 2^15 from their coordinates */
          missed += outside(p1 ^ c1[j] << 32 ^ ((uint64_t)k0 << 32 ^ 0x8000800080008000));
          missed += outside(p0 ^ c3[j] << 32 ^ ((uint64_t)k1 << 32 ^ 0x8000800080008000));
        }
      }
  }
  uint32_t hits = 4 * blocks;
  for (int i = 0; i < 2 * LANES; i++) hits -= missed[i];
  return hits;
}
#else
enum { STEP = 1 };
#define count_vectors count
#endif

/* Hits in the blocks first to last - 1: a thread's share of the stream. */
uint64_t blocks(uint64_t first, uint64_t last, uint64_t seed) {
  uint64_t hits = 0;
  for (uint32_t size; first < last; first += size) {
    uint32_t most = CHUNK - (uint32_t)first % CHUNK;
    size = last - first < most ? (uint32_t)(last - first) : most;
    uint32_t whole = size / STEP * STEP;
    hits += count_vectors(first, whole, seed) + count(first + whole, size - whole, seed);
  }
  return hits;
}

uint64_t run(uint64_t points, uint64_t seed) {
  uint64_t whole = points / 4, hits = blocks(0, whole, seed);
  uint32_t last[4] = {(uint32_t)whole, (uint32_t)(whole >> 32), 0, 0};
  philox(last, seed);
  for (uint64_t j = 0; j < points % 4; j++) hits += inside(last[j]);
  return hits;
}
