import { isPasswordTooLong } from './password-length.ts'

/**
 * The form in which passwords are hashed and compared (NFKC, NIST SP 800-63B): systems type the same letters as different
 * characters. Longer ones than allowed stay, as normalization takes time quadratic in the number of combining marks.
 */
export function passwordForm(password: string): string {
  return isPasswordTooLong(password) ? password : password.normalize('NFKC')
}
