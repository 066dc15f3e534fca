-- Notifications of an approval that was decided are marked as read for all users.
create index notifications_of_approvals on notifications (group_key) where read_at is null and kind = 'approval.waiting';
