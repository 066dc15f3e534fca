-- A licence that is rare in a category, or everywhere, was looked for in every entry.
create index marketplace_entries_by_licence on marketplace_entries (licence, category, popularity desc, id desc) where state = 'listed';
create index marketplace_entries_by_licence_alone on marketplace_entries (licence, popularity desc, id desc) where state = 'listed';
