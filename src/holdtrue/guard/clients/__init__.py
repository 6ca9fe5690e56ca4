"""Guards around clients of models and around functions: each tool call is decided on before it is made."""
