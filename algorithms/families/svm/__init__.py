"""Support vector machines: the widest margin between two classes, linear or through a kernel."""
