"""The usual names of columns, the likeliest first: the first one that exists is used."""

TEXTS = (
    "text", "body", "content", "message", "review", "comment", "sentence", "description", "question", "post", "tweet",
    "document", "article", "abstract", "v2",
)  # fmt: skip
LABELS = ("label", "class", "category", "target", "sentiment", "topic", "intent", "v1")
IDS = ("id",)
TAGS = ("subject", "title")  # further texts, whose tokens get the field's name as a tag

# Other common names of labels, proposed in messages if no usual name is found
LIKELY_LABELS = ("team", "queue", "department", "type", "kind", "tag", "group", "genre", "product", "area")
