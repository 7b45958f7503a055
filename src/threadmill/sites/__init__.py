"""Which of many sites are one company: collect, text, keywords, vectors, evidence, decision."""
