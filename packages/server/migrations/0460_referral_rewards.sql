-- A referrer is rewarded when the first paid period of the referred account has ended.

alter table referrals
  -- The first paid invoice; null before the payment and after the reward.
  add column reward_invoice_id uuid,
  add column reward_due_at timestamptz,
  add constraint referrals_reward_check check ((reward_invoice_id is null) = (reward_due_at is null));

create index referrals_by_reward on referrals (reward_due_at) where reward_due_at is not null;
