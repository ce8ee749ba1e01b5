-- docs/decisions/0041-files.md
-- No references: a file is there for longer than its row, and a row for longer than who uploaded it.
create table files (
  id uuid primary key,
  owner_id uuid not null,
  name text not null,
  type text,
  size bigint not null,
  created_at bigint not null,
  expires_at bigint,
  resource text,
  row_id uuid
);

create index files_of_owner on files (owner_id, size);

create index files_of_row on files (row_id) where row_id is not null;

create index files_expiry on files (expires_at) where expires_at is not null;
