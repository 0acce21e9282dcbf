/* philox_pi in C: a loop over blocks that the compiler vectorises, and with AVX-512 one written in intrinsics. */
#include <stdint.h>

enum { CHUNK = 65536 }; /* blocks that share the high word of their counter, whose points 32 bits can count */
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

#ifdef __AVX512F__
#include <immintrin.h>

enum { VECTORS = 4, STEP = 8 * VECTORS }; /* vectors in flight, which hide the latency of ten products in a row */
typedef __m512i lanes;                    /* a word of eight blocks, each in the low half of 64 bits */

static inline lanes all(uint64_t word) { return _mm512_set1_epi64((long long)word); }
static inline lanes up(lanes a) { return _mm512_slli_epi64(a, 32); }
static inline lanes down(lanes a) { return _mm512_srli_epi64(a, 32); }
static inline lanes xor3(lanes a, lanes b, lanes c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }

/* The sixteen counters, plus one for each of the sixteen points that lies inside. */
static inline lanes add_inside(lanes counters, lanes points) {
  lanes one = _mm512_set1_epi32(1), x = _mm512_and_si512(points, _mm512_set1_epi32(0xFFFF));
  lanes y = _mm512_srli_epi32(points, 16), xx = _mm512_mullo_epi32(x, _mm512_add_epi32(x, one));
  lanes yy = _mm512_mullo_epi32(y, _mm512_add_epi32(y, one)), room = _mm512_xor_si512(yy, _mm512_set1_epi32(-1));
  return _mm512_mask_add_epi32(counters, _mm512_cmple_epu32_mask(xx, room), counters, one);
}

static uint32_t count_vectors(uint64_t first, uint32_t blocks, uint64_t seed) {
  lanes hits = all(0), block = _mm512_add_epi64(all(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  for (uint32_t i = 0; i < blocks; i += STEP) {
    lanes c0[VECTORS], c1[VECTORS], c2[VECTORS], c3[VECTORS];
    for (int j = 0; j < VECTORS; j++, block = _mm512_add_epi64(block, all(8)))
      c0[j] = block, c1[j] = all(first >> 32), c2[j] = c3[j] = all(0);
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
#pragma GCC unroll 10
    for (int round = 0; round < 10; round++, k0 += W0, k1 += W1)
      for (int j = 0; j < VECTORS; j++) {
        lanes p0 = _mm512_mul_epu32(c0[j], all(M0)), p1 = _mm512_mul_epu32(c2[j], all(M1));
        if (round < 9) { /* what stands in the high halves of c0 to c3 is left over and never looked at */
          c0[j] = xor3(down(p1), c1[j], all(k0)), c1[j] = p1;
          c2[j] = xor3(down(p0), c3[j], all(k1)), c3[j] = p0;
        } else { /* both halves are points */
          hits = add_inside(hits, xor3(p1, up(c1[j]), up(all(k0))));
          hits = add_inside(hits, xor3(p0, up(c3[j]), up(all(k1))));
        }
      }
  }
  return (uint32_t)_mm512_reduce_add_epi32(hits);
}
#else
enum { STEP = 1 };
#define count_vectors count
#endif

uint64_t run(uint64_t points, uint64_t seed) {
  uint64_t hits = 0, blocks = points / 4;
  for (uint64_t first = 0; first < blocks; first += CHUNK) {
    uint32_t size = blocks - first < CHUNK ? (uint32_t)(blocks - first) : CHUNK, whole = size / STEP * STEP;
    hits += count_vectors(first, whole, seed) + count(first + whole, size - whole, seed);
  }
  uint32_t last[4] = {(uint32_t)blocks, (uint32_t)(blocks >> 32), 0, 0};
  philox(last, seed);
  for (uint64_t j = 0; j < points % 4; j++) hits += inside(last[j]);
  return hits;
}
