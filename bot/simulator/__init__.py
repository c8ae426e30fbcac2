"""The demo's other side: a stand-in for Meta's Graph API and the phones of invented customers. Only `demo` uses it."""
