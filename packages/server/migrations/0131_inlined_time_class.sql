-- PostgreSQL puts the body of a function without settings into the statement that calls it. With a search path it was called for each time, which took
-- longer than the rest of the evaluation. The body names nothing that a search path could replace but functions of pg_catalog, which come first.
alter function millrace_time_class(bigint) reset search_path;
