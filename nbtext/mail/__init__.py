"""A message as bytes: header, MIME, charsets, pages, boxes; and what of it is evidence."""
