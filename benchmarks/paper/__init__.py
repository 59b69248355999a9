"""The paper's experiments again: its Tables 1 to 7 and Figures 1 to 9, our figures beside its
own."""
