"""The WhatsApp Cloud API: what Meta posts to us, what we post to Meta, and what its errors mean."""
