/* mandelbrot in C: LANES points of a row go on together; every TURNS iterations a test ends them if all are outside. With 16
   points each operation waits for the one before: 32 take 0.3 to 0.6 of the time, on AVX-512 and on AVX2. */
#include <stdint.h>

enum { MOST = 200, LANES = 32, TURNS = 8 /* divides MOST */ };

void run(const double *x, const double *y, int32_t *counts, int64_t m, int64_t n) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t first = 0; first < n; first += LANES) {
            double cx[LANES], cy = y[i], zx[LANES] = {0}, zy[LANES] = {0};
            int64_t counted[LANES] = {0}, lanes = n - first < LANES ? n - first : LANES; /* as wide as a double */
            for (int l = 0; l < LANES; l++) cx[l] = l < lanes ? x[first + l] : 4; /* past the end: outside at once */
            int64_t left = 1;
            for (int done = 0; done < MOST && left; done += TURNS) {
                int64_t before = 0, after = 0;
                for (int l = 0; l < LANES; l++) before += counted[l];
                for (int turn = 0; turn < TURNS; turn++)
                    for (int l = 0; l < LANES; l++) { /* outside, z goes on to infinity and NaN and never comes back */
                        double xx = zx[l] * zx[l], yy = zy[l] * zy[l];
                        counted[l] += xx + yy <= 4;
                        zy[l] = 2 * zx[l] * zy[l] + cy;
                        zx[l] = xx - yy + cx[l];
                    }
                for (int l = 0; l < LANES; l++) after += counted[l];
                left = after - before;
            }
            for (int64_t l = 0; l < lanes; l++) counts[i * n + first + l] = (int32_t)counted[l];
        }
}

void plain(const double *x, const double *y, int32_t *counts, int64_t m, int64_t n) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double zx = 0, zy = 0;
            int32_t count = 0;
            for (; count < MOST; count++) {
                double xx = zx * zx, yy = zy * zy;
                if (!(xx + yy <= 4)) break;
                zy = 2 * zx * zy + y[i];
                zx = xx - yy + x[j];
            }
            counts[i * n + j] = count;
        }
}
