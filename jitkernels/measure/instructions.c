// Counts the instructions of one call of a Python function on its thread, by the processor's trap flag.

#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define TRAP_FLAG 0x100

extern void *PyObject_CallNoArgs(void *callable);  // of the Python process that loads this
extern void Py_DecRef(void *object);

static volatile uint64_t steps;
static long counted;  // the thread

// The kernel clears the flag for the handler, and its return sets it again. A thread that the call starts inherits it.
static void step(int number, siginfo_t *info, void *context)
{
    if (syscall(SYS_gettid) == counted)
        steps++;
    else
        ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

// Returns the instructions between setting and clearing the flag, -1 where the signal cannot be handled. What the function
// raises is left to the caller.
int64_t count(void *callable)
{
    struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO}, before;
    if (sigaction(SIGTRAP, &action, &before))
        return -1;
    counted = syscall(SYS_gettid);
    steps = 0;
    __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
    void *answer = PyObject_CallNoArgs(callable);
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
    int64_t total = (int64_t)steps;
    sigaction(SIGTRAP, &before, 0);
    Py_DecRef(answer);
    return total;
}
