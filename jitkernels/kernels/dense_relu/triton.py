"""dense_relu in Triton: each program makes one tile of A, and applies the activation before it is stored.

Programs that run at the same time take tiles of GROUP rows of tiles, column by column, so that parts of W and X are still in
the L2 cache when the next program reads them.
"""

import triton
import triton.language as tl


@triton.jit
def dense_relu(W, X, A, m, k, n, M: tl.constexpr, K: tl.constexpr, N: tl.constexpr, GROUP: tl.constexpr):
    tile, rows, columns = tl.program_id(0), tl.cdiv(m, M), tl.cdiv(n, N)
    first = tile // (GROUP * columns) * GROUP  # row of tiles that the group begins with
    height = min(GROUP, rows - first)  # the last group may have fewer
    inside = tile % (GROUP * columns)
    i = ((first + inside % height) * M + tl.arange(0, M)).to(tl.int64)[:, None]  # 64 bits: a place may be past 2^31
    j = (inside // height * N + tl.arange(0, N)).to(tl.int64)[None, :]
    p = tl.arange(0, K).to(tl.int64)
    a = tl.zeros((M, N), tl.float32)
    for begin in range(0, k, K):
        q = begin + p
        w = tl.load(W + i * k + q[None, :], mask=(i < m) & (q < k)[None, :], other=0.0)
        x = tl.load(X + q[:, None] * n + j, mask=(q < k)[:, None] & (j < n), other=0.0)
        a = tl.dot(w, x, a, input_precision="ieee")  # float32: the default rounds w and x to TF32's 10 bits
    tl.store(A + i * n + j, tl.where(a < 0, 0.0, a), mask=(i < m) & (j < n))  # NaN is not below zero, so it stays


def run(W, X):
    (m, k), n = W.shape, X.shape[1]
    A = W.new_empty(m, n)
    tiles = triton.cdiv(m, 64) * triton.cdiv(n, 64)
    dense_relu[(tiles,)](W, X, A, m, k, n, M=64, K=32, N=64, GROUP=8)
    return A


kernel = dense_relu
signature = {
    "W": "*fp32",
    "X": "*fp32",
    "A": "*fp32",
    "m": "i32",
    "k": "i32",
    "n": "i32",
    "M": 64,
    "K": 32,
    "N": 64,
    "GROUP": 8,
}
