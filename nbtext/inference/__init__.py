"""From counts to scores, posteriors and explanations. No file is opened here."""
