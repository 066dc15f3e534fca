-- Events and listeners are brought together in bounded steps: how far the one has been held against the other is kept, so that a pass never begins anew.

-- Listeners up to this id have been held against an event that is not matched yet.
alter table events add column matched_to uuid;
-- Kept events up to this id have been held against a listener that is not matched yet.
alter table listeners add column kept_to uuid;
