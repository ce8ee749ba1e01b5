import { isPasswordTooLong } from './password-length.ts'

/**
 * The form in which passwords are hashed and compared (NFKC, NIST SP 800-63B), because systems type the same letters as
 * different characters. Too long passwords stay as they are, because normalization takes quadratic time.
 */
export function passwordForm(password: string): string {
  return isPasswordTooLong(password) ? password : password.normalize('NFKC')
}
