"""The guard around clients of models and around functions: what they call is decided on before it is called."""
