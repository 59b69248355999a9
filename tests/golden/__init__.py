"""Results on frozen data, byte for byte."""
