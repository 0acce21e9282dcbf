/* softmax in C: three loops over a row, which stays in the innermost cache.
 *
 * A sum or a maximum is kept in LANES parts, because the compiler may not change the order of additions to make vectors. The
 * exponential is written out, because the library's takes one number at a time.
 */
#include <math.h>
#include <stdint.h>

enum { LANES = 32 };

/* exp(x) for x <= 0, to 2 units in the last place: 2^n times Taylor's series, where |x - n ln 2| <= ln(2) / 2. */
static inline float power(float x) {
    union { float number; uint32_t bits; } n = {x * 1.44269504f + 0x1.8p23f}, scale; /* 1.5 * 2^23 leaves an integer */
    float rounded = n.number - 0x1.8p23f;
    float r = x - rounded * 0x1.62e4p-1f - rounded * 0x1.7f7d1cp-20f; /* ln 2 in two parts: the first product is exact */
    float series = r * (1 / 5040.f) + 1 / 720.f;
    series = ((((((series * r + 1 / 120.f) * r + 1 / 24.f) * r + 1 / 6.f) * r + 1 / 2.f) * r) + 1) * r + 1;
    scale.bits = (n.bits + 127) << 23;
    return x < -87 ? 0 : series * scale.number; /* below, float32 has no normal numbers; NaN stays */
}

void run(const float *x, float *y, int64_t rows, int64_t columns) {
    int64_t whole = columns / LANES * LANES;
    for (int64_t i = 0; i < rows; i++, x += columns, y += columns) {
        float most[LANES], sums[LANES] = {0}, largest = -INFINITY, total = 0;
        for (int l = 0; l < LANES; l++)
            most[l] = -INFINITY;
        for (int64_t j = 0; j < whole; j += LANES)
            for (int l = 0; l < LANES; l++)
                most[l] = x[j + l] > most[l] ? x[j + l] : most[l]; /* NaN may be skipped: the sum will have it */
        for (int l = 0; l < LANES; l++)
            largest = most[l] > largest ? most[l] : largest;
        for (int64_t j = whole; j < columns; j++)
            largest = x[j] > largest ? x[j] : largest;
        for (int64_t j = 0; j < whole; j += LANES)
            for (int l = 0; l < LANES; l++)
                sums[l] += y[j + l] = power(x[j + l] - largest);
        for (int64_t j = whole; j < columns; j++)
            total += y[j] = power(x[j] - largest);
        for (int l = 0; l < LANES; l++)
            total += sums[l];
        for (int64_t j = 0; j < columns; j++)
            y[j] *= 1 / total;
    }
}
