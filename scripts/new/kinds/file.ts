import type { Kind } from './kind.ts'

export const file: Kind = {
  type: 'string',
  request: { $ref: '#/components/schemas/FileLink' },
  column: 'file',
  form: "'file'",
  schema: { $ref: '#/components/schemas/FileOfRow' },
  rule: () => 'uploadedFile()',
  input: { component: 'FileField' },
  formValue: (value) => `fileText(${value})`,
  cell: (value) => `${value} && <FileLink file={${value}} />`,
  demo: () => 'demoFile()',
}
