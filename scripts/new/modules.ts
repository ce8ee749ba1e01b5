import type { Source } from './source.ts'

/** Where generated code has what it names, a line for each. */
const modules = {
  ChoiceBadge: '@/kinds/choice/cell',
  CheckboxField: '@/components/form/checkbox-field',
  DateField: '@/kinds/date/field',
  FileField: '@/kinds/file/field',
  FileLink: '@/kinds/file/cell',
  FilterChoices: '@/components/list/filter-choices',
  FilterDays: '@/components/list/filter-days',
  FilterLinked: '@/kinds/link/filter',
  FilterNumbers: '@/kinds/number/filter',
  FilterSelect: '@/components/list/filter-select',
  Moment: '@/components/moment',
  LinkField: '@/kinds/link/field',
  NumberField: '@/kinds/number/field',
  RowLink: '@/kinds/link/cell',
  SelectField: '@/components/form/select-field',
  TextField: '@/components/form/text-field',
  TimeField: '@/kinds/time/field',
  UserText: '@/components/ui/user-text',
  choiceText: '@/lib/choice-text',
  dayText: '@/lib/day-text',
  fileText: '@/lib/file-text',
  readDecimal: '@/lib/number-text',
  readWhole: '@/lib/number-text',
  timeText: '@/lib/time-text',
  toLocalText: '@/lib/time-text',
}

export type Named = keyof typeof modules

/** Imports what generated code names: components as elements, as labels of fields may have the same words. */
export function importNamed(source: Source, code: string): Source {
  for (const [name, module] of Object.entries(modules))
    if (new RegExp(/^[A-Z]/.test(name) ? `<${name}\\b` : `\\b${name}\\b`).test(code)) source.addImports(module, [name])
  return source
}
