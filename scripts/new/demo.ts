// Demo values that fit the name of a field: the first line whose words the name has, as expressions of Faker.

type Values = readonly (readonly [words: RegExp, expression: string])[]

const texts: Values = [
  [/email|mail/, 'internet.exampleEmail()'],
  [/phone|mobile|fax/, "phone.number({ style: 'international' })"],
  [/url|website|homepage|link/, 'internet.url()'],
  [/company|organi[sz]ation|employer|supplier|vendor|manufacturer|brand/, 'company.name()'],
  [/job|position|profession/, 'person.jobTitle()'],
  [/department/, 'commerce.department()'],
  [/first_name/, 'person.firstName()'],
  [/last_name|surname/, 'person.lastName()'],
  [/street|address/, 'location.streetAddress()'],
  [/city|town|place|location/, 'location.city()'],
  [/zip|postcode|postal/, 'location.zipCode()'],
  [/country/, 'location.country()'],
  [/currency/, 'finance.currencyCode()'],
  [/colou?r/, 'color.human()'],
  [/iban/, 'finance.iban()'],
  [/sku|code|number|reference|serial/, "string.alphanumeric({ length: 8, casing: 'upper' })"],
  [/note|comment|description|detail|remark|summary|about|bio|reason/, 'company.catchPhrase()'],
  [/contact|person|author|manager|assignee|full_name/, 'person.fullName()'],
]

const names: Values = [
  [/company|organi[sz]ation|supplier|vendor|partner|brand|client/, 'company.name()'],
  [/customer|contact|person|employee|member|guest|patient|student|author|candidate|driver/, 'person.fullName()'],
  [/city|place|location|branch|office/, 'location.city()'],
  [/country/, 'location.country()'],
]

const product = 'commerce.productName()'
const phrase = 'company.catchPhrase()'

const whole: Values = [
  [/year/, 'number.int({ min: 1990, max: 2026 })'],
  [/age/, 'number.int({ min: 18, max: 90 })'],
  [/rank|priority|level|rating|stars/, 'number.int({ min: 1, max: 5 })'],
]

const past = /paid|born|birth|since|joined|hired|made|done|ended|finished|sent|seen|bought|sold|opened|closed|started/

function find(values: Values, name: string): string | undefined {
  const expression = values.find(([words]) => new RegExp(`(?<![a-z])(?:${words.source})`).test(name))?.[1]
  return expression && `english.${expression}`
}

export function demoText(name: string, noun: string, isLong = false): string {
  const ofName = name === 'name' ? find(names, noun) : undefined
  return ofName ?? find(texts, name) ?? `english.${isLong ? phrase : product}`
}

export const demoWhole = (name: string): string => find(whole, name) ?? 'english.number.int({ min: 1, max: 100 })'

export function demoDate(name: string, at: string): string {
  if (/birth|born/.test(name)) return 'english.date.birthdate()'
  return `english.date.${past.test(name) ? 'recent' : 'soon'}({ days: 90, refDate: ${at} })`
}
