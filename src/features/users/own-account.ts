/** The reason why superusers cannot change their own row (SPEC 2). */
export const ownAccount = 'Your own account is changed in the settings.'
