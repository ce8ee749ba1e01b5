import { hashToken } from '../platform/lib/secret-token.ts'
import { idOf } from './many-users.ts'

export const [ada, ben, gone] = [idOf(1), idOf(2), idOf(3)]

const now = Date.UTC(2026, 0, 1)

/** Data of version 0.2.0. */
export const data = `
  insert into users (id, email, email_key, full_name, password_hash, is_active, is_superuser, created_at, email_search,
    full_name_search, last_active_at, email_confirmed_at)
    values ('${ada}', 'Ada@b.cd', 'ada@b.cd', 'Ada', 'x', 1, 1, 5, 'ada@b.cd', 'ada', 6, 7);
  insert into users (id, email, email_key, password_hash, is_invited, is_active, is_superuser, created_at, email_search)
    values ('${ben}', 'Ben@bücher.cd', 'ben@bücher.cd', '', 1, 1, 0, 6, 'ben@bucher.cd'),
      ('${gone}', 'gone@b.cd', 'gone@b.cd', 'x', 0, 1, 0, 7, 'gone@b.cd');
  insert into sessions (id, token_hash, user_id, created_at, last_used_at, authenticated_at, authenticated_by)
    values ('${ada}', '${hashToken('session')}', '${ada}', ${now - 540_000}, ${now}, ${now - 540_000}, 'password');
  insert into challenges (digest, purpose, user_id, expires_at)
    values ('${hashToken('reset')}', 'password-reset', '${ada}', ${now + 60_000}),
      ('${hashToken('told')}', 'invitation-link', '${ben}', ${now + 60_000});
  insert into audit (id, at, action, result, origin) values ('${ada}', 3, 'log-in', 'done', 'server');`

/** A deleted account, and what was done before. */
export const history = `
  delete from users where id = '${gone}';
  insert into audit (id, at, action, result, origin, details)
    values ('${ben}', 2, 'account-change', 'done', 'server', '{"full_name":{"from":"Ölmütz","to":null}}');`
