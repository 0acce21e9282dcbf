/* monte_carlo_pi in C: the seed article's loop with the C library's own generator of doubles, erand48 (48-bit linear
 * congruential). Its state is a local array, so nothing global changes. Two library calls for each point limit the speed. */
#include <stdint.h>
#include <stdlib.h>

double run(uint64_t points, uint64_t seed) {
  uint16_t state[3] = {seed, seed >> 16, (seed >> 32) ^ (seed >> 48)};
  uint64_t hits = 0;
  for (uint64_t i = 0; i < points; i++) {
    double x = erand48(state), y = erand48(state);
    hits += x * x + y * y < 1.0;
  }
  return 4.0 * hits / points;
}
