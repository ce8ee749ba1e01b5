/** Why a superuser cannot change the own row (SPEC 2). */
export const ownAccount = 'Your own account is changed in the settings.'
