/** The reason why superusers cannot change their own row. */
export const ownAccount = 'Your own account is changed in the settings.'
