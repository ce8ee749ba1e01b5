/** Scripts with similar letters. Chinese, Japanese and Korean are omitted, because they are often mixed with Latin. */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Hebrew', 'Arabic', 'Georgian'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
)

/** Whether a part of an email address mixes scripts, as imitations of other addresses do. */
export function hasMixedScripts(address: string): boolean {
  return address.split(/[.@]/).some((part) => scripts.filter((script) => script.test(part)).length > 1)
}
