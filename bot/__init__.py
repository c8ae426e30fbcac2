"""Confirmo: customers book, confirm, move and cancel appointments in WhatsApp."""
