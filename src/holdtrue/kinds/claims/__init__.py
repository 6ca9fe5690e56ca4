"""Claims: answers in free text, taken apart and tested one by one."""
