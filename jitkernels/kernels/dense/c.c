/* dense in C: tiles of the result in registers, and both factors packed into panels that are read in order. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined __AVX512F__
enum { LANES = 16, ROWS = 12 };
#elif defined __AVX__
enum { LANES = 8, ROWS = 6 };
#else
enum { LANES = 4, ROWS = 6 };
#endif
enum { COLUMNS = 2 * LANES };             /* the sums of a tile, a row of X and an entry of W fill the registers */
enum { DEPTH = 256 };                     /* rows of X in a panel: 16 KiB with AVX2, half an innermost cache */
enum { STRIP = 2048 / COLUMNS * COLUMNS }; /* columns of Y that stay in the cache until they are finished */
typedef float vector __attribute__((vector_size(4 * LANES)));

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

/* x[:depth, :columns] = X[:depth, :columns]; the rows of X are n apart. Sums of the columns beyond are never stored. */
static void pack(float *x, const float *X, int64_t n, int64_t depth, int64_t columns) {
    for (; depth > 0; depth--, x += COLUMNS, X += n)
        if (columns == COLUMNS) /* a constant length: two vector copies */
            memcpy(x, X, COLUMNS * sizeof(float));
        else
            memcpy(x, X, columns * sizeof(float));
}

/* Y[:rows, :columns] (+)= w @ x: w[ROWS, depth], stored by columns, and x[depth, COLUMNS]; the rows of Y are n apart. */
static void tile(const float *w, const vector *x, int64_t depth, float *Y, int64_t n, int64_t rows, int64_t columns,
                 int first) {
    vector sum[ROWS][2] = {0};
    for (int64_t p = 0; p < depth; p++, w += ROWS, x += 2)
#pragma GCC unroll 12
        for (int i = 0; i < ROWS; i++) {
            sum[i][0] += w[i] * x[0];
            sum[i][1] += w[i] * x[1];
        }
    for (int64_t i = 0; i < rows; i++, Y += n) {
        const float *sums = (const float *)sum[i];
        for (int64_t j = 0; j < columns; j++)
            Y[j] = first ? sums[j] : Y[j] + sums[j];
    }
}

void run(const float *W, const float *X, float *Y, int64_t m, int64_t k, int64_t n) {
    float *w = calloc((m + ROWS) * DEPTH, sizeof(float));
    vector x[DEPTH * 2] = {0};
    for (int64_t strip = 0; strip < n; strip += STRIP)
        for (int64_t p = 0; p < k; p += DEPTH) {
            int64_t depth = smaller(DEPTH, k - p), end = smaller(n, strip + STRIP);
            for (int64_t i = 0; i < m; i++) /* panels of ROWS rows */
                for (int64_t q = 0; q < depth; q++)
                    w[i / ROWS * ROWS * depth + q * ROWS + i % ROWS] = W[i * k + p + q];
            for (int64_t j = strip; j < end; j += COLUMNS) {
                int64_t columns = smaller(COLUMNS, end - j);
                pack((float *)x, X + p * n + j, n, depth, columns);
                for (int64_t i = 0; i < m; i += ROWS)
                    tile(w + i * depth, x, depth, Y + i * n + j, n, smaller(ROWS, m - i), columns, p == 0);
            }
        }
    free(w);
}
