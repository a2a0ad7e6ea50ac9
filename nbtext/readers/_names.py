"""The usual names of columns, the likeliest first: the first that is there is taken."""

TEXTS = (
    "text", "body", "content", "message", "review", "comment", "sentence", "description", "question", "post", "tweet",
    "document", "article", "abstract", "v2",
)  # fmt: skip
LABELS = ("label", "class", "category", "target", "sentiment", "topic", "intent", "v1")
IDS = ("id",)
TAGS = ("subject", "title")  # further text, whose tokens are told apart by the field's name

# Names that labels often have too, proposed where no other tells
LIKELY_LABELS = ("team", "queue", "department", "type", "kind", "tag", "group", "genre", "product", "area")
