"""A message as bytes: header, MIME, charsets, HTML, mailboxes; and which parts of it are evidence."""
