/* heat_2d in C: loops over two grids that take turns. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100 }; /* even: the last sweep writes the answer's grid */
static const float R = 0.2f;

static void relax(const float *restrict up, const float *restrict u, const float *restrict down, float *restrict v,
                  int64_t n) {
    for (int64_t j = 1; j < n - 1; j++)
        v[j] = u[j] + R * (up[j] + down[j] + u[j - 1] + u[j + 1] - 4 * u[j]);
}

void run(const float *u, float *v, int64_t m, int64_t n) {
    size_t bytes = (size_t)(m * n) * sizeof *v;
    float *old = memcpy(v, u, bytes), *new = memcpy(malloc(bytes), u, bytes), *spare = new;
    for (int step = 0; step < STEPS; step++) {
        for (int64_t i = 1; i < m - 1; i++)
            relax(old + (i - 1) * n, old + i * n, old + (i + 1) * n, new + i * n, n);
        float *last = old;
        old = new, new = last;
    }
    free(spare);
}
