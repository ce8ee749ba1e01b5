-- SQLite adds no column with such a default. What is recorded is for servers that run, and none does.
drop table changes;

create table changes (
  id integer primary key,
  resource text not null,
  row_id uuid not null,
  owner_id uuid not null,
  at bigint not null default (cast(unixepoch('subsec') * 1000 as integer))
);
