/** The first sentence of all texts about a server that sends no mail. */
export const NO_MAIL_SERVER = 'There is no mail server.'
