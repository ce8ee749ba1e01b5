import type { Source } from './source.ts'

const components = {
  ChoiceBadge: '@/kinds/choice/cell',
  CheckboxField: '@/components/form/fields',
  DateField: '@/kinds/date/field',
  FileField: '@/kinds/file/field',
  FileLink: '@/kinds/file/cell',
  FileView: '@/kinds/file/view',
  FilterChoices: '@/components/list/filter-choices',
  FilterDays: '@/components/list/filter-time',
  FilterLinked: '@/kinds/link/filter',
  FilterNumbers: '@/kinds/number/filter',
  FilterSelect: '@/components/list/filter-select',
  Moment: '@/components/time',
  LinkField: '@/kinds/link/field',
  NumberField: '@/kinds/number/field',
  RowLink: '@/kinds/link/cell',
  SelectField: '@/components/form/fields',
  TextField: '@/components/form/fields',
  TimeField: '@/kinds/time/field',
  UserText: '@/components/ui/user-text',
  Value: '@/components/resource-page',
}
const functions = {
  dayText: '@/lib/time-text',
  fileText: '@/lib/file-text',
  readDecimal: '@/lib/number-text',
  readWhole: '@/lib/number-text',
}
const ofDemoData = ['english', 'demoFile', 'demoLink', 'toMinute']
const ofAddresses = ['choice', 'choices', 'day', 'dayOrTime', 'decimal', 'whole', 'id']
const rules = [
  'day',
  'decimal',
  'instant',
  'linkedRow',
  'oneOf',
  'optionalText',
  'requiredText',
  'uploadedFile',
  'wholeNumber',
]

export type Named = keyof typeof components

const called = (code: string, names: readonly string[]) =>
  names.filter((name) => new RegExp(`(?<![\\w.])${name}[.(]`).test(code))

/** Imports what the code of fields names: components only as elements, as labels may have the same words. */
export function importNamed(source: Source, code: string): Source {
  for (const [name, module] of Object.entries(components))
    if (code.includes(`<${name} `) || code.includes(`<${name}>`)) source.addImports(module, [name])
  for (const [name, module] of Object.entries(functions))
    if (code.includes(`${name}(`) || code.includes(`{${name}}`)) source.addImports(module, [name])
  return source
}

export const importDemo = (source: Source, code: string): Source =>
  source.addImports(source.path.includes('/rows/') ? '../demo-data.ts' : './demo-data.ts', called(code, ofDemoData))

export const importRules = (source: Source, code: string): Source =>
  source.addImports('@/lib/validation/rules', called(code, rules))

export const importFilters = (source: Source, code: string): Source =>
  source.addImports('@/lib/search-params', called(code, ofAddresses))
