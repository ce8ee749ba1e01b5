-- docs/decisions/0042-proofs-of-addresses.md
create table disconnected_identities (
  user_id uuid not null references users (id) on delete cascade,
  issuer text not null,
  subject text not null,
  constraint disconnected_identities_pkey primary key (user_id, issuer, subject)
);

-- A link confirmed these without a session, which vouches for whoever made the account.
update users set email_confirmed_at = null where email_confirmed_at is not null and exists (
  select 1 from audit where subject_id = users.id and actor_id is null and action = 'address-confirm'
    and at between users.email_confirmed_at - 60000 and users.email_confirmed_at);
