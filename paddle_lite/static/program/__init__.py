"""Programs: blocks, operators, Variables; building, printing, copying and checking them."""
