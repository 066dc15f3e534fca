-- Lists of an account by state, newest first. Completed executions are the most, and a list of them finds its page by the index of the account.
create index executions_by_state on executions (account_id, state, id desc) where state <> 'completed';
