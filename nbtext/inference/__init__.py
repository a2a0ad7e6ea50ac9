"""From counts to scores, posteriors and what explains them. No file is opened here."""
