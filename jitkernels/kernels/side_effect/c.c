/* side_effect in C: the square. */
void run(float num, float *squared) {
    *squared = num * num;
}
