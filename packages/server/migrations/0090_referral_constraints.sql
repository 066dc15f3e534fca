-- Constraints on accounts have names that end in account_id_fkey: a request of an account that was just deleted is recognized by them.
alter table referrals rename constraint referrals_referred_id_fkey to referrals_referred_account_id_fkey;
alter table referrals rename constraint referrals_referrer_id_fkey to referrals_referrer_account_id_fkey;
