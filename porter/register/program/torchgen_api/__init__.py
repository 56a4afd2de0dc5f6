"""Program that reads facts about CUDA operators from a release's own torchgen. Only this program imports torchgen.

`porter.register.catalogue` runs it: torchgen is slow to load, and one interpreter cannot load the torchgen of two
releases. The program imports no other module of porter.

The functions of torchgen that it calls behave the same in PyTorch 1.13 to 2.13. Structured kernels are generated for
`DispatchKey.CUDA`, because torchgen refuses to generate them for PrivateUse1; `porter.register.torchgen_names` inserts
the target's names.
"""
