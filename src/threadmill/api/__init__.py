"""The functions behind `import threadmill`: each calls the same stage as its command."""
