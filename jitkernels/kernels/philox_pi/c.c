/* philox_pi in plain C. */
#include <stdint.h>

static inline uint32_t inside(uint32_t word) {
  uint32_t x = word & 0xFFFF, y = word >> 16;
  return x * x + x <= ~(y * y + y);
}

uint64_t run(uint64_t points, uint64_t seed) {
  uint64_t hits = 0, blocks = (points + 3) / 4;
  for (uint64_t block = 0; block < blocks; block++) {
    uint32_t c[4] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    for (int round = 0; round < 10; round++) {
      uint64_t p0 = (uint64_t)0xD2511F53 * c[0], p1 = (uint64_t)0xCD9E8D57 * c[2];
      c[0] = (uint32_t)(p1 >> 32) ^ c[1] ^ k0, c[1] = (uint32_t)p1;
      c[2] = (uint32_t)(p0 >> 32) ^ c[3] ^ k1, c[3] = (uint32_t)p0;
      k0 += 0x9E3779B9, k1 += 0xBB67AE85;
    }
    for (uint64_t j = 0; j < 4 && 4 * block + j < points; j++) hits += inside(c[j]);
  }
  return hits;
}
