/* square_or_cube in C: the branch as it stands. */
#include <math.h>

void run(float x, float *y) {
    *y = fmodf(x, 2) == 0 ? x * x : x * x * x;
}
