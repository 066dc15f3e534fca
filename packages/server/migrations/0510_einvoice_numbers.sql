-- Finds whether an account has used a number.
create index einvoices_numbers on einvoices (account_id, number);
