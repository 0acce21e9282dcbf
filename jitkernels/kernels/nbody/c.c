/* nbody in C: the sums of LANES bodies i stay in registers while the loop runs over all bodies j. A vector holds bodies i,
   so the order of no sum changes. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, LANES = 16 };
static const float DT = 0.01f, SOFTENING = 0.1f;

static void accelerate(const float *r, const float *masses, float *a, int64_t n) {
    for (int64_t first = 0; first < n; first += LANES) {
        float x[LANES], y[LANES], z[LANES], ax[LANES] = {0}, ay[LANES] = {0}, az[LANES] = {0};
        int64_t lanes = n - first < LANES ? n - first : LANES;
        for (int64_t l = 0; l < LANES; l++) { /* past the end: the last body again */
            int64_t i = first + (l < lanes ? l : lanes - 1);
            x[l] = r[i], y[l] = r[n + i], z[l] = r[2 * n + i];
        }
        for (int64_t j = 0; j < n; j++)
            for (int l = 0; l < LANES; l++) {
                float dx = r[j] - x[l], dy = r[n + j] - y[l], dz = r[2 * n + j] - z[l];
                float squared = dx * dx + dy * dy + dz * dz + SOFTENING * SOFTENING;
                float weight = masses[j] / (squared * sqrtf(squared));
                ax[l] += weight * dx, ay[l] += weight * dy, az[l] += weight * dz;
            }
        size_t bytes = (size_t)lanes * sizeof *a;
        memcpy(a + first, ax, bytes), memcpy(a + n + first, ay, bytes), memcpy(a + 2 * n + first, az, bytes);
    }
}

static void advance(float *vectors, float time, const float *rates, int64_t n) {
    for (int64_t i = 0; i < 3 * n; i++) vectors[i] += time * rates[i];
}

void run(const float *positions, const float *velocities, const float *masses, float *new_positions, float *new_velocities,
         int64_t n) {
    size_t bytes = 3 * (size_t)n * sizeof(float);
    float *r = memcpy(new_positions, positions, bytes), *v = memcpy(new_velocities, velocities, bytes), *a = malloc(bytes);
    accelerate(r, masses, a, n);
    for (int step = 0; step < STEPS; step++) {
        advance(v, DT / 2, a, n);
        advance(r, DT, v, n);
        accelerate(r, masses, a, n);
        advance(v, DT / 2, a, n);
    }
    free(a);
}
