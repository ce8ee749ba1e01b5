// What confirmations say of a role that they grant.

export const powers = 'They will see and change all users and all items.'

/** Of one who has the role already, but could not log in. */
export const asSuperuser = 'As a superuser, they see and change all users and all items.'
