export const mockAccounts = {
  superuser: { email: 'admin@example.com', full_name: 'Grace Hopper', is_superuser: true },
  user: { email: 'ada@example.com', full_name: 'Ada Lovelace', is_superuser: false },
}

export const mockPassword = 'correct horse'
