"""Adapters put a guard into the frameworks in which agents are written, one file for each framework.

An adapter hears the conversation of the framework, decides on each tool call before it runs, and takes its result in.
Import the file of your framework (`from holdtrue.adapters.langchain import GuardMiddleware`); its extra brings it.
"""
