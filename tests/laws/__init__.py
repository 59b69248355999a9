"""Laws of the search that hold on any data."""
