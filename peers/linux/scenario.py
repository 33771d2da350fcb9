def scenario(words: str) -> str:
    return words
