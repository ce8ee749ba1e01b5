-- The schema of version 0.2.0. server/tables.ts describes the columns.
create table users (
  id uuid primary key,
  email text not null,
  email_key text not null unique,
  email_search text not null,
  email_confirmed_at bigint,
  pending_email text,
  mail_refused_at bigint,
  full_name text,
  full_name_search text,
  password_hash text not null,
  is_invited smallint not null default 0 check (is_invited in (0, 1)),
  is_active smallint not null check (is_active in (0, 1)),
  is_superuser smallint not null check (is_superuser in (0, 1)),
  created_at bigint not null,
  last_active_at bigint
);

create index users_newest on users (created_at, id);

create index users_superusers on users (created_at, id) where is_superuser = 1;

create index users_inactive on users (created_at, id) where is_active = 0;

create index users_invited on users (created_at, id) where is_active = 1 and is_invited = 1;

create index users_confirmed on users (created_at, id) where email_confirmed_at is not null;

create index users_unconfirmed on users (created_at, id) where email_confirmed_at is null;

create index users_last_active on users (last_active_at, id);

create index users_email_search on users (email_search, id);

create index users_full_name_search on users (full_name_search, id);

create index users_seen on users (coalesce(last_active_at, created_at));

-- A trigram index by number, as VACUUM changes a table's own row numbers.
create table users_search_rows (number integer primary key, id uuid not null unique);

create virtual table users_search using fts5
  (email_search, full_name_search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');

create trigger users_search_insert after insert on users begin
  insert into users_search_rows (id) values (new.id);
  insert into users_search (rowid, email_search, full_name_search)
    select number, new.email_search, new.full_name_search from users_search_rows where id = new.id;
end;

create trigger users_search_update after update of email_search, full_name_search on users begin
  delete from users_search where rowid = (select number from users_search_rows where id = old.id);
  insert into users_search (rowid, email_search, full_name_search)
    select number, new.email_search, new.full_name_search from users_search_rows where id = new.id;
end;

create trigger users_search_delete after delete on users begin
  delete from users_search where rowid = (select number from users_search_rows where id = old.id);
  delete from users_search_rows where id = old.id;
end;

create table active_days (day bigint primary key, users bigint not null);

create table sessions (
  id uuid primary key,
  token_hash text not null unique,
  user_id uuid not null references users (id) on delete cascade,
  created_at bigint not null,
  last_used_at bigint not null,
  user_agent text,
  address text,
  authenticated_at bigint not null,
  authenticated_by text not null
);

create index sessions_of_user on sessions (user_id);

create index sessions_age on sessions (created_at);

create table known_networks (
  user_id uuid not null references users (id) on delete cascade,
  network text not null,
  ends_at bigint not null,
  constraint known_networks_key primary key (user_id, network)
);

create index known_networks_end on known_networks (ends_at);

-- One-time things: docs/decisions/0033-challenges.md.
create table challenges (
  digest text primary key,
  purpose text not null,
  user_id uuid references users (id) on delete cascade,
  payload text,
  expires_at bigint not null
);

create index challenges_of_user on challenges (user_id, purpose, expires_at);

create index challenges_expiry on challenges (expires_at);

create table passkey_handles (
  user_id uuid primary key references users (id) on delete cascade,
  handle text not null unique
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  transports text not null,
  counter bigint not null,
  is_syncable smallint not null,
  is_synced smallint not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);

create index passkeys_of_user on passkeys (user_id);

create table authenticator_apps (
  id uuid primary key,
  user_id uuid not null unique references users (id) on delete cascade,
  secret text not null,
  last_step bigint not null
);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  digest text not null,
  constraint recovery_codes_key primary key (user_id, digest)
);

create table limits (
  key text primary key,
  started_at bigint not null,
  ends_at bigint not null,
  used integer not null
);

create index limits_end on limits (ends_at);

-- No reference to users: the address may have no account, and a mail may outlive its account.
create table outbox (
  id uuid primary key,
  kind text not null,
  address text not null,
  origin text not null,
  created_at bigint not null,
  due_at bigint not null,
  attempts integer not null
);

create index outbox_due on outbox (due_at);

create index outbox_due_of_kind on outbox (kind, due_at, id);

-- No references: entries outlive accounts.
create table audit (
  id uuid primary key,
  at bigint not null,
  action text not null,
  result text not null,
  actor_id uuid,
  subject_id uuid,
  origin text not null,
  details text
);

create index audit_newest on audit (at, id);

-- Without the id, which only orders entries of the same millisecond, an index is half as large.
create index audit_action on audit (action, at);

create index audit_result on audit (result, at);

create index audit_action_result on audit (action, result, at);

create index audit_actor on audit (actor_id, at);

create index audit_actor_action on audit (actor_id, action, at);

create index audit_subject on audit (subject_id, at);

create index audit_subject_action on audit (subject_id, action, at);

create index audit_failed on audit (at, id) where result <> 'done';

create index audit_failed_action on audit (action, at, id) where result <> 'done';

create table jobs (id text primary key, due_at bigint not null);

create table locks (name text primary key, taken bigint not null);

insert into locks (name, taken) values ('accounts', 0);

-- Numbers of rows, by triggers: docs/decisions/0011-counts-by-triggers.md.
create table totals (
  name text not null,
  stripe integer not null,
  value bigint not null,
  constraint totals_key primary key (name, stripe)
);

-- No reference to users: the rows of an owner are deleted after the account.
create table counts (
  name text not null,
  owner_id uuid not null,
  value bigint not null,
  constraint counts_key primary key (owner_id, name)
);

-- Accounts whose rows are deleted later: docs/decisions/0018-plain-lists.md.
create table deleted_owners (owner_id uuid primary key);

create trigger users_count_insert after insert on users begin
  insert into totals (name, stripe, value)
    select 'users', 0, count(*) from (select new.id as id) as changed having count(*) > 0
    on conflict (name, stripe) do update set value = totals.value + excluded.value;
end;

create trigger users_count_delete after delete on users begin
  insert into totals (name, stripe, value)
    select 'users', 0, -count(*) from (select old.id as id) as changed having count(*) > 0
    on conflict (name, stripe) do update set value = totals.value + excluded.value;
end;

-- All rows of a deleted account disappear at once.
create trigger users_hide_delete after delete on users begin
  insert into deleted_owners (owner_id)
    select id from (select old.id as id) as changed where id in (select owner_id from counts);
end;

-- Recorded changes: docs/decisions/0034-live-changes.md.
create table changes (
  id integer primary key,
  resource text not null,
  row_id uuid not null,
  owner_id uuid not null
);

create trigger users_changes_insert after insert on users begin
  insert into changes (resource, row_id, owner_id)
    select 'users', id, id from (select new.id as id) as changed;
end;

create trigger users_changes_update
  after update of email, email_confirmed_at, email_key, email_search, full_name,
    full_name_search, id, is_active, is_invited, is_superuser, mail_refused_at, password_hash, pending_email
  on users begin
  insert into changes (resource, row_id, owner_id)
    select 'users', id, id from (select new.id as id) as changed;
end;

create trigger users_changes_delete after delete on users begin
  insert into changes (resource, row_id, owner_id)
    select 'users', id, id from (select old.id as id) as changed;
end;

create trigger sessions_changes_delete after delete on sessions begin
  insert into changes (resource, row_id, owner_id)
    select 'sessions', id, user_id from (select old.id as id, old.user_id as user_id) as changed;
end;

-- No reference to users: docs/decisions/0018-plain-lists.md. server/resource/table.ts creates others like it.
create table items (
  id uuid primary key,
  owner_id uuid not null,
  created_at bigint not null,
  title text not null,
  description text,
  title_search text not null,
  description_search text,
  updated_at bigint
);

create index items_newest on items (created_at, id, owner_id);

create index items_newest_of_owner on items (owner_id, created_at, id);

create index items_last_edited on items (coalesce(updated_at, created_at), id, owner_id);

create index items_last_edited_of_owner on items (owner_id, coalesce(updated_at, created_at), id);

create index items_title_search on items (title_search, id);

create index items_title_search_of_owner on items (owner_id, title_search, id);

create table items_search_rows (
  number integer primary key,
  id uuid not null unique
);

create virtual table items_search using fts5
  (title_search, description_search, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1');

create trigger items_search_insert after insert on items begin
  insert into items_search_rows (id) values (new.id);
  insert into items_search (rowid, title_search, description_search)
    select number, new.title_search, new.description_search from items_search_rows where id = new.id;
end;

create trigger items_search_update after update of title_search, description_search on items begin
  delete from items_search where rowid = (select number from items_search_rows where id = old.id);
  insert into items_search (rowid, title_search, description_search)
    select number, new.title_search, new.description_search from items_search_rows where id = new.id;
end;

create trigger items_search_delete after delete on items begin
  delete from items_search where rowid = (select number from items_search_rows where id = old.id);
  delete from items_search_rows where id = old.id;
end;

create trigger items_count_insert after insert on items begin
  insert into counts (name, owner_id, value)
    select 'items', owner_id, count(*) from (select new.owner_id as owner_id) as changed group by owner_id
    on conflict (owner_id, name) do update set value = counts.value + excluded.value;
  insert into totals (name, stripe, value)
    select 'items', 0, count(*) from (select new.owner_id as owner_id) as changed having count(*) > 0
    on conflict (name, stripe) do update set value = totals.value + excluded.value;
end;

create trigger items_count_delete after delete on items begin
  insert into counts (name, owner_id, value)
    select 'items', owner_id, -count(*) from (select old.owner_id as owner_id) as changed group by owner_id
    on conflict (owner_id, name) do update set value = counts.value + excluded.value;
  insert into totals (name, stripe, value)
    select 'items', 0, -count(*) from (select old.owner_id as owner_id) as changed having count(*) > 0
    on conflict (name, stripe) do update set value = totals.value + excluded.value;
end;

create trigger items_changes_insert after insert on items begin
  insert into changes (resource, row_id, owner_id)
    select 'items', id, owner_id from (select new.id as id, new.owner_id as owner_id) as changed;
end;

create trigger items_changes_update
  after update of description, description_search, id, owner_id, title, title_search, updated_at on items begin
  insert into changes (resource, row_id, owner_id)
    select 'items', id, owner_id from (select new.id as id, new.owner_id as owner_id) as changed;
end;

create trigger items_changes_delete after delete on items begin
  insert into changes (resource, row_id, owner_id)
    select 'items', id, owner_id from (select old.id as id, old.owner_id as owner_id) as changed;
end;
