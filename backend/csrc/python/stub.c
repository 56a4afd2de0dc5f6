/* The module that Python imports: all but this file is the same for every version of Python. */
#include <Python.h>

PyObject* torch_backend_init_module(void);

__attribute__((visibility("default"))) PyObject* PyInit__C(void) {
  return torch_backend_init_module();
}
