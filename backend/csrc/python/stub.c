/* Entry point of the Python module: the only file that is compiled for each version of Python. */
#include <Python.h>

PyObject* torch_backend_init_module(void);

__attribute__((visibility("default"))) PyObject* PyInit__C(void) {
  return torch_backend_init_module();
}
