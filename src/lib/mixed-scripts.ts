/** Scripts with letters that look alike. Chinese, Japanese and Korean texts mix theirs with Latin by custom. */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Hebrew', 'Arabic', 'Georgian'].map(
  (name) => new RegExp(`\\p{Script=${name}}`, 'u'),
)

/** Whether a part of an address between `.` and `@` has letters of several scripts, as one has that imitates another. */
export function hasMixedScripts(address: string): boolean {
  return address.split(/[.@]/).some((part) => scripts.filter((script) => script.test(part)).length > 1)
}
