export const NO_MAIL_SERVER = 'There is no mail server.'
