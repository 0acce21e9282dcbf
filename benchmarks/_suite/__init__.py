"""The classes that the kernels' modules derive from. An underscore hides them from asv, which takes every public class."""
