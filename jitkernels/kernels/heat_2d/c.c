/* heat_2d in C: TURNS sweeps go over the grid at once, each a row behind the one before it. Between the first and the last
   of them a row lives only in a ring of four, so the grid is read from memory once for all of them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 100, TURNS = 4 }; /* TURNS divides STEPS; being above 1, the last sweep writes no row that the first needs */
static const float R = 0.2f;

static void relax(const float *restrict up, const float *restrict u, const float *restrict down, float *restrict v,
                  int64_t n) {
    v[0] = u[0], v[n - 1] = u[n - 1];
    for (int64_t j = 1; j < n - 1; j++)
        v[j] = u[j] + R * (up[j] + down[j] + u[j - 1] + u[j + 1] - 4 * u[j]);
}

void run(const float *u, float *v, int64_t m, int64_t n) {
    memcpy(v, u, (size_t)(m * n) * sizeof *v);
    int64_t width = n + 24; /* rows whose addresses agree in their last 12 bits would wait for one another */
    float *rings = malloc((size_t)(TURNS * 4 * width) * sizeof *rings);
    for (int done = 0; done < STEPS; done += TURNS)
        for (int64_t front = 0; front < m + TURNS; front++)
            for (int turn = 1; turn <= TURNS; turn++) {
                int64_t i = front - turn; /* the row that this sweep gives now */
                if (i < 0 || i >= m) continue;
#define ROW(turn, i) ((turn) % TURNS ? rings + ((turn) * 4 + ((i) & 3)) * width : v + (i) * n) /* first and last: the grid */
                if (i == 0 || i == m - 1) {
                    if (turn < TURNS) memcpy(ROW(turn, i), v + i * n, (size_t)n * sizeof *v);
                } else
                    relax(ROW(turn - 1, i - 1), ROW(turn - 1, i), ROW(turn - 1, i + 1), ROW(turn, i), n);
            }
    free(rings);
}
