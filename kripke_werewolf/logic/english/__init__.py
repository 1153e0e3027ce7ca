"""Sentences and questions in English: `sentences` writes them, `sentence_parser` reads them by a grammar."""
