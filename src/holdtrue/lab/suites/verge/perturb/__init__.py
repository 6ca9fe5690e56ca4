"""Pairs of items that differ in one sentence, so that another answer is right: does a method follow the context?"""
