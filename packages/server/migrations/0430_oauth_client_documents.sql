-- Clients whose id is the address of a document that describes them. The row keeps what was fetched, until it must be fetched again.

-- Null for a client that registered.
alter table oauth_clients add column fresh_until timestamptz;
