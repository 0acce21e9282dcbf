/* layer_norm in C: three loops over a row, which stays in the innermost cache. A sum is kept in LANES parts, because the
 * compiler may not change the order of additions to make vectors. */
#include <math.h>
#include <stdint.h>

enum { LANES = 16 };

void run(const float *x, const float *scale, const float *offset, float *y, int64_t rows, int64_t columns) {
    int64_t whole = columns / LANES * LANES;
    for (int64_t i = 0; i < rows; i++, x += columns, y += columns) {
        float sums[LANES] = {0}, squares[LANES] = {0}, total = 0, square = 0;
        for (int64_t j = 0; j < whole; j += LANES)
            for (int l = 0; l < LANES; l++)
                sums[l] += x[j + l];
        for (int64_t j = whole; j < columns; j++)
            total += x[j];
        for (int l = 0; l < LANES; l++)
            total += sums[l];
        float mean = total / columns;
        for (int64_t j = 0; j < whole; j += LANES)
            for (int l = 0; l < LANES; l++)
                squares[l] += (x[j + l] - mean) * (x[j + l] - mean);
        for (int64_t j = whole; j < columns; j++)
            square += (x[j] - mean) * (x[j] - mean);
        for (int l = 0; l < LANES; l++)
            square += squares[l];
        float factor = 1 / sqrtf(square / columns + 1e-5f);
        for (int64_t j = 0; j < columns; j++)
            y[j] = (x[j] - mean) * factor * scale[j] + offset[j];
    }
}
