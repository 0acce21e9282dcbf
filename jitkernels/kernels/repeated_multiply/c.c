/* repeated_multiply in C: the loop as it stands. Without -ffast-math the multiplications stay in their order. */
#include <stdint.h>

void run(float x, int32_t n, float *y) {
    float product = 1;
    for (int32_t count = 0; count < n; count++)
        product *= x;
    *y = product;
}
