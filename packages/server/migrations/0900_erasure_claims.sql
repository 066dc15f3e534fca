-- Which pass has claimed an erasure: one that lost its claim to another after a stall changes nothing more.
alter table privacy_erasures add column claim uuid;
