/* black_scholes in C. The C library's expf and logf take one number a call. The compiler can vectorise a loop over these
   two: powers of two reduce the argument, and a polynomial does the rest. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static const float RATE = 0.02f, VOLATILITY = 0.30f, DRIFT = 0.02f + 0.5f * 0.30f * 0.30f;

static inline float as_float(int32_t bits) { float x; memcpy(&x, &bits, sizeof x); return x; }
static inline int32_t as_bits(float x) { int32_t bits; memcpy(&bits, &x, sizeof bits); return bits; }

/* 2^n exp(r) with |r| <= log(2) / 2, by Taylor's series: its next term is r^8 / 8! = 5e-9. NaN stays NaN. */
static inline float exponential(float x) {
  x = x < -87 ? -87 : x > 88 ? 88 : x; /* exp(-87) is nothing beside a price */
  float n = x * 1.44269504f + 12582912.0f; /* 1.5 x 2^23: the last bits become the nearest whole number */
  int32_t power = as_bits(n) << 23;
  n -= 12582912.0f;
  float r = x - n * 0.693359375f - n * -2.12194440e-4f; /* log(2) in two parts; n times the first is exact */
  float p = 1 / 5040.0f;
  p = p * r + 1 / 720.0f, p = p * r + 1 / 120.0f, p = p * r + 1 / 24.0f, p = p * r + 1 / 6.0f;
  p = p * r + 0.5f, p = p * r + 1, p = p * r + 1;
  return as_float(as_bits(p) + power);
}

/* n log(2) + log(m) with m from sqrt(1/2) to sqrt(2), as 2 artanh(f), f = (m - 1) / (m + 1), by its series in f^2 < 0.0295:
   the next term is 2 f^11 / 11 < 7e-10. For normal numbers above zero; NaN stays NaN. */
static inline float logarithm(float x) {
  int32_t bits = as_bits(x), n = (bits - 0x3F3504F3) >> 23; /* 0x3F3504F3 is sqrt(1/2) */
  float m = as_float(bits - (n << 23)), f = (m - 1) / (m + 1), ff = f * f;
  float series = ((ff * (2 / 9.0f) + 2 / 7.0f) * ff + 2 / 5.0f) * ff + 2 / 3.0f;
  return x == x ? n * 0.693359375f + (n * -2.12194440e-4f + (f * ff * series + 2 * f)) : x;
}

static inline float tail(float d) { /* cdf(-|d|) */
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float p = k * (0.319381530f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return exponential(-0.5f * d * d) * 0.398942280f * p;
}

void run(const float *spot, const float *strike, const float *time, float *restrict call, float *restrict put, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float deviation = VOLATILITY * sqrtf(time[i]);
    float d1 = (logarithm(spot[i] / strike[i]) + DRIFT * time[i]) / deviation, d2 = d1 - deviation;
    float tail1 = tail(d1), tail2 = tail(d2), discounted = strike[i] * exponential(-RATE * time[i]);
    float up1 = d1 > 0 ? 1 - tail1 : tail1, down1 = d1 > 0 ? tail1 : 1 - tail1;
    float up2 = d2 > 0 ? 1 - tail2 : tail2, down2 = d2 > 0 ? tail2 : 1 - tail2;
    call[i] = spot[i] * up1 - discounted * up2;
    put[i] = discounted * down2 - spot[i] * down1;
  }
}
